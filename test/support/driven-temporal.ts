// Workflows without a server: the real workflow bundle (lab/temporal/workflow-code.ts), driven activation by activation
// over a clock of our own. What a Temporal server does between activations (timers, retries, signals, updates,
// continue-as-new) happens here, in a fixed order and in no time, so that a test can meet thousands of situations.
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { ApplicationFailure } from '@temporalio/common';
import { msToTs } from '@temporalio/common/lib/time.js';
import type { coresdk } from '@temporalio/proto';
import type { TaskQueue } from '../../contract/temporal/task-queues.js';
import {
  activate,
  cancelled,
  type Command,
  errorOf,
  failed,
  type Failure,
  failureOf,
  isFinalFailure,
  type Job,
  msOf,
  openWorkflow,
  payloads,
  timedOut,
  valueOf,
  type WorkflowInstance,
} from '../../lab/temporal/workflow-code.js';
import { workflowCode } from './temporal.js';

type Step = (input: unknown) => Promise<unknown>;

/** Workflow code that runs longer is ended: no step of a payment needs a hundredth of it. */
const CODE_LIMIT_MS = 2_000;

/** The activities of each queue; a queue that is absent has no worker. */
export type Offered = (queue: TaskQueue) => Readonly<Record<string, unknown>> | null;

async function bundleText(): Promise<string> {
  const bundle = await workflowCode();
  return 'code' in bundle ? bundle.code : readFile(bundle.codePath, 'utf8');
}

/** An activity that was scheduled and has no result yet. */
interface Pending {
  readonly seq: number;
  readonly name: string;
  readonly input: unknown;
  readonly queue: TaskQueue;
  readonly isLocal: boolean;
  readonly retry: {
    readonly firstMs: number;
    readonly factor: number;
    readonly mostMs: number;
    readonly tries: number;
  };
  readonly endsAtMs: number | null;
  /** When it is tried next; null while a try runs. */
  nextAtMs: number | null;
  tries: number;
  last: Failure | null;
}

/** What became of an update: its answer, or the failure that refused or ended it. */
export type Updated =
  | { readonly kind: 'answered'; readonly value: unknown }
  | { readonly kind: 'failed'; readonly type: string | null; readonly message: string }
  /** The run ended without an answer. */
  | { readonly kind: 'lost' }
  | null;

export interface DrivenUpdate {
  readonly name: string;
  outcome: Updated;
}

/** One workflow, by its id, through all its runs. */
export class DrivenWorkflow {
  /** Why its task failed, if it did: a fault of the workflow's code. */
  fault: string | null = null;
  /** The result of the last run; undefined while one runs. */
  result: unknown = undefined;
  activations = 0;
  runs = 0;
  readonly updates: DrivenUpdate[] = [];
  /** The next activation says that the history is long. */
  suggestsContinueAsNew = false;

  private workflow: WorkflowInstance | null = null;
  private jobs: Job[] = [];
  /** When its present run began. */
  startedAtMs = 0;
  private timers = new Map<number, number>();
  private activities = new Map<number, Pending>();
  private answers = new Map<string, DrivenUpdate>();
  private events = 0;

  constructor(
    private readonly world: DrivenTemporal,
    readonly type: string,
    readonly id: string,
    input: unknown,
  ) {
    this.begin(input);
  }

  get isRunning(): boolean {
    return this.fault === null && this.result === undefined;
  }

  /** What waits for a worker. */
  get hasWork(): boolean {
    return this.isRunning && this.jobs.length > 0;
  }

  /** When something of it happens next: a timer, a try or a limit of an activity. Infinity: nothing. */
  get nextAtMs(): number {
    if (!this.isRunning) return Infinity;
    const due = [...this.timers.values()];
    for (const { nextAtMs, endsAtMs } of this.activities.values())
      due.push(Math.min(nextAtMs ?? Infinity, endsAtMs ?? Infinity));
    return Math.min(Infinity, ...due);
  }

  signal(name: string, ...args: readonly unknown[]): void {
    this.jobs.push({ signalWorkflow: { signalName: name, input: payloads(...args) } });
  }

  update(name: string, ...args: readonly unknown[]): DrivenUpdate {
    // Temporal finds no run to give it to. The api then answers from the row.
    const update: DrivenUpdate = { name, outcome: this.isRunning ? null : { kind: 'lost' } };
    const id = randomUUID();
    this.updates.push(update);
    this.answers.set(id, update);
    const meta = { updateId: id, identity: 'test' };
    const input = payloads(...args);
    this.jobs.push({ doUpdate: { id, protocolInstanceId: id, name, input, meta, runValidator: true } });
    return update;
  }

  private begin(input: unknown): void {
    this.startedAtMs = this.world.nowMs;
    this.timers = new Map();
    this.activities = new Map();
    this.events = 0;
    this.runs += 1;
    this.result = undefined;
    const init = {
      workflowType: this.type,
      workflowId: this.id,
      arguments: payloads(input),
      attempt: 1,
      startTime: msToTs(Math.round(this.startedAtMs)),
      firstExecutionRunId: 'first',
    };
    this.jobs.unshift({ initializeWorkflow: init });
  }

  /** Everything that fell due: timers fire, activities are tried or run out of time. Answers whether anything did. */
  async happen(): Promise<boolean> {
    let something = false;
    for (const [seq] of [...this.timers].filter(([, at]) => at <= this.world.nowMs)) {
      something = true;
      this.timers.delete(seq);
      this.jobs.push({ fireTimer: { seq } });
    }
    for (const pending of [...this.activities.values()]) {
      const isOver = pending.endsAtMs !== null && pending.endsAtMs <= this.world.nowMs;
      const isDue = pending.nextAtMs !== null && pending.nextAtMs <= this.world.nowMs;
      if (!isOver && !isDue) continue;
      if (isOver && !isDue) this.settle(pending, { failed: { failure: timedOut(pending) } });
      else if (!(await this.tried(pending))) continue;
      something = true;
    }
    return something;
  }

  /** One activation with everything that waits for the worker. */
  async activate(): Promise<void> {
    const jobs = this.jobs;
    this.jobs = [];
    this.activations += 1;
    this.events += jobs.length + 3;
    const runId = `${this.id}/${this.runs}`;
    this.workflow ??= await this.world.open(this, runId);
    const activated = await activate(this.workflow, {
      runId,
      atMs: this.world.nowMs,
      jobs,
      historyLength: this.events,
      isReplaying: false,
      suggestsContinueAsNew: this.suggestsContinueAsNew,
    });
    if ('fault' in activated) {
      this.fault = activated.fault;
      return;
    }
    for (const command of activated.commands) this.obey(command);
  }

  /** Frees what it holds of the shared context. */
  async close(): Promise<void> {
    const { workflow } = this;
    this.workflow = null;
    await workflow?.dispose();
  }

  private obey(command: Command): void {
    this.events += 1;
    const { world } = this;
    if (command.startTimer != null)
      this.timers.set(Number(command.startTimer.seq), world.nowMs + (msOf(command.startTimer.startToFireTimeout) ?? 0));
    else if (command.cancelTimer != null) this.timers.delete(Number(command.cancelTimer.seq));
    else if (command.scheduleActivity != null) this.schedule(command.scheduleActivity, false);
    else if (command.scheduleLocalActivity != null) this.schedule(command.scheduleLocalActivity, true);
    else if (command.requestCancelActivity != null) this.cancel(Number(command.requestCancelActivity.seq));
    else if (command.requestCancelLocalActivity != null) this.cancel(Number(command.requestCancelLocalActivity.seq));
    else if (command.updateResponse != null) this.answer(command.updateResponse);
    else if (command.completeWorkflowExecution != null)
      this.end(valueOf(command.completeWorkflowExecution.result) ?? null);
    else if (command.failWorkflowExecution != null)
      this.fault = `the workflow failed: ${command.failWorkflowExecution.failure?.message ?? ''}`;
    else if (command.continueAsNewWorkflowExecution != null) {
      this.suggestsContinueAsNew = false;
      void this.close();
      this.begin(valueOf(command.continueAsNewWorkflowExecution.arguments?.[0]));
    }
  }

  private end(result: unknown): void {
    this.result = result;
    for (const update of this.answers.values()) update.outcome ??= { kind: 'lost' };
  }

  private answer({ protocolInstanceId, rejected, completed }: coresdk.workflow_commands.IUpdateResponse): void {
    const update = this.answers.get(protocolInstanceId ?? '');
    if (update === undefined) return;
    if (rejected != null) update.outcome = refusal(rejected);
    else if (completed != null) update.outcome = { kind: 'answered', value: valueOf(completed) };
  }

  private schedule(
    asked: coresdk.workflow_commands.IScheduleActivity | coresdk.workflow_commands.IScheduleLocalActivity,
    isLocal: boolean,
  ): void {
    const { retryPolicy, scheduleToCloseTimeout } = asked;
    const limitMs = msOf(scheduleToCloseTimeout);
    const seq = Number(asked.seq);
    this.activities.set(seq, {
      seq,
      name: asked.activityType ?? '',
      input: valueOf(asked.arguments?.[0]),
      queue: ('taskQueue' in asked ? asked.taskQueue : 'payments') as TaskQueue,
      isLocal,
      retry: {
        firstMs: msOf(retryPolicy?.initialInterval) ?? 1_000,
        factor: retryPolicy?.backoffCoefficient || 2,
        mostMs: msOf(retryPolicy?.maximumInterval) ?? 100_000,
        tries: retryPolicy?.maximumAttempts || Infinity,
      },
      endsAtMs: limitMs === null || limitMs === 0 ? null : this.world.nowMs + limitMs,
      nextAtMs: this.world.nowMs,
      tries: 0,
      last: null,
    });
  }

  /** Whether the activity was tried: on a queue without a worker it waits for one. */
  private async tried(pending: Pending): Promise<boolean> {
    const { retry } = pending;
    const offered = this.world.offered(pending.queue);
    if (offered === null) {
      pending.nextAtMs = this.world.nowMs + 1_000;
      return false;
    }
    pending.nextAtMs = null;
    pending.tries += 1;
    try {
      const step = offered[pending.name] as Step | undefined;
      if (step === undefined) throw new Error(`the queue ${pending.queue} does not offer ${pending.name}`);
      const result = await step(pending.input);
      this.settle(pending, { completed: { result: payloads(result)[0] ?? null } });
      return true;
    } catch (error) {
      pending.last = failureOf(error);
      const isFinal = isFinalFailure(error);
      const pauseMs = Math.min(retry.firstMs * retry.factor ** (pending.tries - 1), retry.mostMs);
      const nextAtMs = this.world.nowMs + pauseMs;
      if (isFinal || pending.tries >= retry.tries) this.settle(pending, { failed: { failure: failed(pending) } });
      else if (pending.endsAtMs !== null && nextAtMs >= pending.endsAtMs)
        // Temporal gives up at once when the next try would come too late.
        this.settle(pending, { failed: { failure: timedOut(pending) } });
      else pending.nextAtMs = nextAtMs;
      return true;
    }
  }

  /** An activity that is abandoned between two tries ends as cancelled. */
  private cancel(seq: number): void {
    const pending = this.activities.get(seq);
    if (pending === undefined) return;
    this.settle(pending, { cancelled: { failure: cancelled(pending) } });
  }

  private settle(pending: Pending, result: coresdk.activity_result.IActivityResolution): void {
    this.activities.delete(pending.seq);
    this.jobs.push({ resolveActivity: { seq: pending.seq, result, isLocal: pending.isLocal } });
  }
}

function refusal(failure: Failure): Updated {
  const error = errorOf(failure);
  const type = error instanceof ApplicationFailure ? (error.type ?? null) : null;
  return { kind: 'failed', type, message: error.message };
}

/** Temporal without a server: workflows, one clock, and the activities of the queues. */
export class DrivenTemporal {
  private readonly workflows = new Map<string, DrivenWorkflow>();
  /** While false no worker takes what happens: timers fire and signals arrive all the same. */
  areWorkersThere = true;

  constructor(
    readonly offered: Offered,
    public nowMs: number,
  ) {}

  start(type: string, id: string, input: unknown): DrivenWorkflow {
    const workflow = new DrivenWorkflow(this, type, id, input);
    this.workflows.set(id, workflow);
    return workflow;
  }

  /** For workflows: their place in the shared context. */
  open({ id, type, startedAtMs }: DrivenWorkflow, runId: string): Promise<WorkflowInstance> {
    return openWorkflow({
      workflowId: id,
      runId,
      firstRunId: 'first',
      type,
      taskQueue: 'payments',
      startedAtMs,
      nowMs: () => this.nowMs,
      seed: [...randomUUID()].slice(0, 8).map((letter) => letter.charCodeAt(0)),
      steps: Object.keys(this.offered('payments') ?? {}),
      readBundle: bundleText,
      codeLimitMs: CODE_LIMIT_MS,
    });
  }

  async close(): Promise<void> {
    for (const workflow of this.workflows.values()) await workflow.close();
  }

  /** Everything that can happen now, happens. */
  async settle(): Promise<void> {
    for (let goesOn = true; goesOn;) {
      goesOn = false;
      for (const workflow of this.workflows.values()) {
        if (workflow.isRunning && this.areWorkersThere) goesOn = (await workflow.happen()) || goesOn;
        if (workflow.hasWork && this.areWorkersThere) {
          await workflow.activate();
          goesOn = true;
        }
      }
    }
  }

  /** Lets so many seconds pass; what falls due meanwhile happens in its order. */
  async pass(seconds: number): Promise<void> {
    const until = this.nowMs + seconds * 1_000;
    await this.settle();
    while (this.areWorkersThere) {
      const next = Math.min(...[...this.workflows.values()].map(({ nextAtMs }) => nextAtMs));
      if (next > until) break;
      this.nowMs = Math.max(this.nowMs, next);
      await this.settle();
    }
    this.nowMs = until;
  }
}
