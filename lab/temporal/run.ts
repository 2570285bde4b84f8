// One run of a workflow, as Temporal and its workers treat it: tasks, timers, activities with their retries, updates.
// What a task wants takes effect only when the task is complete; a worker that dies before loses it, and another one
// replays the history.
import { readFile } from 'node:fs/promises';
import type { TaskQueue } from '../../contract/temporal/workers.js';
import { WORKFLOW_BUNDLE } from '../../worker/bundle-path.js';
import type { LabProcess } from '../machine/processes.js';
import type { RunHost, Serving } from './host.js';
import { Begun, type Origin, outlineOf, type Past, type Pending, pendingOf, type RunEnd, RunUpdate } from './parts.js';
import { Tries } from './tries.js';
import {
  activate,
  beginningOf,
  type Command,
  errorOf,
  type Job,
  msOf,
  openWorkflow,
  payloads,
  valueOf,
  type WorkflowInstance,
} from './workflow-code.js';

/** A task that stays open for local activities is completed so far, and goes on. */
const TASK_HEARTBEAT_MS = 8_000;
/** After so long another worker takes the task of a worker that is gone. */
const TASK_TAKEN_OVER_MS = 10_000;
/** Beyond it a run continues as a new one at its next chance. */
const LONG_HISTORY_EVENTS = 10_000;

export class Run {
  end: RunEnd | null = null;
  /** Why its task fails again and again. */
  fault: string | null = null;
  failedTasks = 0;
  activations = 0;
  events = 0;
  readonly startedAtMs: number;
  readonly updates = new Map<string, RunUpdate>();
  #instance: WorkflowInstance | null = null;
  #owner: LabProcess | null = null;
  #past: Past[] = [];
  #committed = 0;
  #jobs: Job[] = [];
  #localJobs: Job[] = [];
  /** What the open task got, to be given again if it is lost. */
  #given: Job[] = [];
  #wanted: Command[] = [];
  readonly #activities: Tries;
  #timers = new Map<number, () => void>();
  #isTaskSet = false;
  #isActivating = false;
  #openSinceMs: number | null = null;
  #queries: { readonly job: Job; readonly answer: (command: Command | null) => void }[] = [];
  readonly #seed: readonly number[];
  readonly #firstRunId: string;
  /** The timers and activities of a history that was taken over must be begun. */
  #isTakenOver = false;
  #closed: () => void = () => undefined;
  /** Resolves when it ends. */
  readonly closed = new Promise<void>((resolve) => (this.#closed = resolve));

  constructor(
    private readonly host: RunHost,
    readonly type: string,
    readonly workflowId: string,
    readonly runId: string,
    readonly queue: TaskQueue,
    /** As it was given to the start. */
    readonly input: readonly unknown[],
    origin: Origin | null = null,
  ) {
    this.startedAtMs = origin?.startedAtMs ?? host.clock.nowMs;
    this.#firstRunId = origin?.firstRunId ?? runId;
    const owner = {
      isOpen: () => this.isOpen,
      holds: ({ process }: Serving) => process === this.#owner,
      serving: () => host.serving(queue),
      resolved: (job: Job, isLocal: boolean) => this.#resolved(job, isLocal),
      tried: (name: string) => host.tried(this, name),
      workflowExecution: { workflowId, runId },
    };
    this.#activities = new Tries(host, owner);
    const seed = Array.from({ length: 8 }, () => host.chance.bits() & 255);
    this.#seed = origin?.seed ?? seed;
    if (origin !== null) this.#takeOver(origin, seed[0] as number);
    else this.#jobs.push(beginningOf(this, this.#firstRunId, this.#seed[0] as number));
    this.wake();
  }

  #takeOver({ past, jobs, updates }: Origin, seed: number): void {
    this.#past = [...past];
    this.#committed = past.length;
    this.events = past.at(-1)?.historyLength ?? 0;
    this.#isTakenOver = true;
    this.#jobs.push(...jobs, { updateRandomSeed: { randomnessSeed: seed as never } });
    for (const update of updates) this.updates.set(update.id, update);
    for (const { doUpdate } of jobs)
      if (doUpdate?.id != null) this.updates.set(doUpdate.id, new RunUpdate(doUpdate.id));
  }

  /**
   * Ends it; another run goes on from the beginning of one of its tasks. As by Temporal's reset, what was sent to this
   * one since is sent again: signals and updates.
   * @param task which of its complete tasks is done anew
   */
  reset(runId: string, chooseTask: (tasks: number) => number): Run | null {
    const committed = this.#past.slice(0, this.#committed);
    const tasks = committed.flatMap(({ beginsTask }, index) => (beginsTask ? [index] : []));
    if (tasks.length === 0) return null;
    const from = tasks[chooseTask(tasks.length)] as number;
    const since = [...this.#past.slice(from + 1).flatMap(({ jobs }) => jobs), ...this.#given, ...this.#jobs];
    const isSent = ({ signalWorkflow, doUpdate }: Job) => signalWorkflow != null || doUpdate != null;
    // What ran in the task itself is lost with it.
    const own = (committed[from]?.jobs ?? []).filter(({ resolveActivity }) => resolveActivity?.isLocal !== true);
    const jobs = [...own, ...new Set(since.filter(isSent))];
    this.terminate('reset');
    const again = new Set(jobs.map(({ doUpdate }) => doUpdate?.id));
    return new Run(this.host, this.type, this.workflowId, runId, this.queue, this.input, {
      past: committed.slice(0, from),
      jobs,
      startedAtMs: this.startedAtMs,
      seed: this.#seed,
      firstRunId: this.#firstRunId,
      updates: [...this.updates.values()].filter(({ id, end }) => end?.kind === 'answered' && !again.has(id)),
    });
  }

  get isOpen(): boolean {
    return this.end === null;
  }

  get waitsForWorker(): boolean {
    return this.isOpen && (this.#jobs.length > 0 || this.#activities.all.some(({ underWay }) => underWay === null));
  }

  /** What it waits for, for people who read a failure. */
  get pending(): string {
    const activities = this.#activities.all.map(
      ({ name, tries, last }) => `${name} (try ${tries}${last?.message ? `, ${last.message}` : ''})`,
    );
    return [...activities, ...(this.#timers.size > 0 ? [`${this.#timers.size} timers`] : [])].join(', ') || 'messages';
  }

  /** What it waits for outside of its own tasks. */
  get pendingActivities(): readonly Pending[] {
    return this.#activities.all.filter(({ isLocal }) => !isLocal);
  }

  cancel(): void {
    this.#give({ cancelWorkflow: { reason: '' } });
  }

  signal(name: string, args: readonly unknown[]): void {
    this.#give({ signalWorkflow: { signalName: name, input: payloads(...args) } });
  }

  /** The same id is the same update. */
  update(name: string, id: string, args: readonly unknown[]): RunUpdate {
    const known = this.updates.get(id);
    if (known !== undefined) return known;
    const update = new RunUpdate(id);
    this.updates.set(id, update);
    const meta = { updateId: id, identity: 'lab' };
    this.#give({ doUpdate: { id, protocolInstanceId: id, name, input: payloads(...args), meta, runValidator: true } });
    return update;
  }

  /** `null`: no worker answers. */
  async query(name: string): Promise<{ readonly value: unknown } | { readonly message: string } | null> {
    const id = `query-${(this.events += 1)}`;
    const command = await new Promise<Command | null>((answer) => {
      this.#queries.push({ job: { queryWorkflow: { queryId: id, queryType: name, arguments: [] } }, answer });
      this.wake();
    });
    const result = command?.respondToQuery;
    if (result == null) return null;
    return result.failed == null
      ? { value: valueOf(result.succeeded?.response) }
      : { message: result.failed.message ?? '' };
  }

  terminate(reason: string): void {
    this.#close({ kind: 'terminated', message: reason });
  }

  /** The workers changed: what waits for one may go on. */
  workersChanged(): void {
    if (!this.isOpen) return;
    const owner = this.#owner;
    if (owner?.isDead === true) this.#lose();
    else if (owner !== null && this.#openSinceMs !== null && owner !== this.host.serving(this.queue)?.process)
      // Replaced while it has the task, and perhaps frozen: the task times out.
      this.host.clock.after(TASK_TAKEN_OVER_MS, () => {
        if (this.isOpen && this.#owner === owner && this.#openSinceMs !== null) this.#lose();
      });
    this.#activities.workersChanged();
    this.wake();
  }

  wake(): void {
    if (this.#isTaskSet || (!this.isOpen && this.#queries.length === 0)) return;
    // What came while a task is open waits for its local activities: their ends wake it, and so does its heartbeat.
    const isReady = this.#localJobs.length > 0 || this.#queries.length > 0 || (this.#jobs.length > 0 && this.#takesAll);
    if (!isReady || this.host.serving(this.queue) === null) return;
    this.#isTaskSet = true;
    this.host.clock.after(this.host.taskDelayMs(), () => {
      this.#isTaskSet = false;
      void this.#work().catch((error: unknown) => this.host.broken(this, error));
    });
  }

  #give(job: Job): void {
    this.host.recorded?.(this, job);
    this.#jobs.push(job);
    this.wake();
  }

  async #work(): Promise<void> {
    const serving = this.host.serving(this.queue);
    if (serving === null || this.#isActivating) return;
    this.#isActivating = true;
    try {
      await serving.process.run(async () => {
        await this.#open(serving);
        if (this.isOpen) await this.#next(serving);
        for (const query of this.#queries.splice(0)) await this.#answer(serving, query);
      });
    } finally {
      this.#isActivating = false;
    }
    this.wake();
  }

  get #isHeld(): boolean {
    return this.#activities.hasLocals || this.#localJobs.length > 0;
  }

  /** Whether the next activation gets whatever came. */
  get #takesAll(): boolean {
    const isLong = this.#openSinceMs !== null && this.host.clock.nowMs - this.#openSinceMs >= TASK_HEARTBEAT_MS;
    return !this.#isHeld || isLong;
  }

  #beginTask(): void {
    this.#openSinceMs = this.host.clock.nowMs;
    this.host.clock.after(TASK_HEARTBEAT_MS + 1, () => this.wake());
  }

  async #next(serving: Serving): Promise<void> {
    const takesAll = this.#takesAll;
    if (this.#localJobs.length === 0 && (!takesAll || this.#jobs.length === 0)) return;
    // What the task wanted so far happens, and may resolve at once.
    if (this.#isHeld && takesAll) this.#commit();
    const jobs = takesAll ? [...this.#localJobs, ...this.#jobs] : this.#localJobs;
    if (takesAll) {
      this.#given.push(...this.#jobs);
      this.#jobs = [];
    }
    this.#localJobs = [];
    const beginsTask = this.#openSinceMs === null;
    if (beginsTask) this.#beginTask();
    this.events += jobs.length;
    const past: Past = {
      jobs,
      beginsTask,
      atMs: this.host.clock.nowMs,
      historyLength: this.events,
      suggestsContinueAsNew: this.events > LONG_HISTORY_EVENTS || this.host.suggestsContinueAsNew(this),
      wanted: '',
    };
    const commands = await this.#activated(past, false);
    if (commands === null || this.#owner !== serving.process || serving.process.isDead) return;
    this.#past.push(past);
    for (const command of commands)
      if (command.scheduleLocalActivity != null) this.#schedule(command, serving);
      else if (command.requestCancelLocalActivity != null)
        this.#activities.cancel(Number(command.requestCancelLocalActivity.seq));
      else this.#wanted.push(command);
    if (!this.#activities.hasLocals && this.#localJobs.length === 0) this.#commit();
  }

  /** The commands; `null`: the task failed. */
  async #activated(past: Past, isReplaying: boolean): Promise<readonly Command[] | null> {
    const instance = this.#instance;
    if (instance === null) return null;
    if (!isReplaying) this.activations += 1;
    const beganMs = this.host.processorMs();
    const result = await activate(instance, { ...past, runId: this.runId, isReplaying });
    const tookMs = this.host.processorMs() - beganMs;
    this.host.activated(this, tookMs, isReplaying);
    if ('fault' in result) {
      this.#fail(result.fault);
      return null;
    }
    const wanted = outlineOf(result.commands);
    if (isReplaying && wanted !== past.wanted) {
      this.host.broken(this, new Error(`a replay wants (${wanted}), and the history has (${past.wanted})`));
      return null;
    }
    past.wanted = wanted;
    this.failedTasks = 0;
    this.fault = null;
    return result.commands;
  }

  /** The task failed: Temporal tries it again, later and later. */
  #fail(message: string): void {
    this.fault = message;
    this.failedTasks += 1;
    this.host.taskFailed(this, message);
    void this.#forget();
    this.#isTaskSet = true;
    this.host.clock.after(Math.min(600_000, 1_000 * 2 ** this.failedTasks), () => {
      this.#isTaskSet = false;
      this.wake();
    });
  }

  /** The worker is gone: its task is tried by another after a while. */
  #lose(): void {
    const wasOpen = this.#openSinceMs !== null;
    void this.#forget();
    if (!wasOpen) return;
    this.#isTaskSet = true;
    this.host.clock.after(TASK_TAKEN_OVER_MS, () => {
      this.#isTaskSet = false;
      this.wake();
    });
  }

  /** Drops what no complete task has, and what a worker held in memory. */
  #forget(): Promise<void> {
    const disposed = this.#instance?.dispose().catch(() => undefined) ?? Promise.resolve();
    this.#instance = null;
    this.#owner = null;
    this.#past.length = this.#committed;
    this.#jobs = [...this.#given, ...this.#jobs];
    this.#given = [];
    this.#localJobs = [];
    this.#wanted = [];
    this.#activities.forgetLocals();
    this.#openSinceMs = null;
    return disposed;
  }

  /** Evicts it from the worker's cache, as a full one does. */
  evict(): void {
    if (this.#openSinceMs === null && !this.#isActivating) void this.#forget();
  }

  async #open(serving: Serving): Promise<void> {
    if (this.#instance !== null && this.#owner === serving.process) return;
    // Both have the same run id: the earlier one must be gone.
    if (this.#instance !== null) await this.#forget();
    this.#owner = serving.process;
    this.#instance = await openWorkflow({
      workflowId: this.workflowId,
      runId: this.runId,
      firstRunId: this.#firstRunId,
      type: this.type,
      taskQueue: this.queue,
      startedAtMs: this.startedAtMs,
      nowMs: () => this.host.clock.nowMs,
      seed: this.#seed,
      steps: serving.steps,
      readBundle: () => this.host.readBundle?.() ?? readFile(WORKFLOW_BUNDLE, 'utf8'),
      codeLimitMs: this.host.codeLimitMs,
    });
    const begun = new Begun();
    for (const past of [...this.#past]) {
      const commands = await this.#activated(past, true);
      if (commands === null) return;
      begun.add(past, commands);
    }
    if (this.#past.length > 0) this.host.sometimes('a worker replayed a history');
    for (const command of begun.locals) this.#schedule(command, serving);
    if (begun.locals.length > 0) this.#beginTask();
    if (!this.#isTakenOver) return;
    this.#isTakenOver = false;
    // What ends with the task that is done anew is not begun again.
    begun.add({ jobs: this.#jobs, atMs: this.host.clock.nowMs }, []);
    for (const { command, atMs } of begun.others) this.#obey(command, atMs);
  }

  async #answer(
    serving: Serving,
    { job, answer }: { readonly job: Job; readonly answer: (command: Command | null) => void },
  ): Promise<void> {
    await this.#open(serving);
    if (this.#instance === null) return answer(null);
    const result = await activate(this.#instance, {
      runId: this.runId,
      atMs: this.host.clock.nowMs,
      jobs: [job],
      historyLength: this.events,
      isReplaying: false,
      suggestsContinueAsNew: false,
    });
    answer('fault' in result ? null : (result.commands.find(({ respondToQuery }) => respondToQuery != null) ?? null));
  }

  /** The task is complete: what it wanted happens. */
  #commit(): void {
    const isClosing = this.#wanted.some(
      (command) =>
        command.completeWorkflowExecution != null ||
        command.failWorkflowExecution != null ||
        command.continueAsNewWorkflowExecution != null,
    );
    if (isClosing && this.#jobs.some(({ doUpdate }) => doUpdate == null)) {
      // Something came meanwhile: Temporal refuses the end, and the task is tried again with what came.
      this.host.sometimes('an end was refused because something came');
      void this.#forget();
      return;
    }
    this.#committed = this.#past.length;
    this.#given = [];
    this.#openSinceMs = null;
    const commands = this.#wanted;
    this.#wanted = [];
    for (const command of commands) this.#obey(command);
  }

  /** @param atMs when it was wanted */
  #obey(command: Command, atMs = this.host.clock.nowMs): void {
    this.events += 1;
    const { clock } = this.host;
    this.host.recorded?.(this, command);
    if (command.startTimer != null) {
      const seq = Number(command.startTimer.seq);
      const dueMs = atMs + (msOf(command.startTimer.startToFireTimeout) ?? 0);
      const stop = clock.after(Math.max(0, dueMs - clock.nowMs), () => {
        this.#timers.delete(seq);
        this.#give({ fireTimer: { seq } });
      });
      this.#timers.set(seq, stop);
    } else if (command.cancelTimer != null) {
      const seq = Number(command.cancelTimer.seq);
      this.#timers.get(seq)?.();
      this.#timers.delete(seq);
    } else if (command.scheduleActivity != null) {
      this.#schedule(command, null);
    } else if (command.requestCancelActivity != null)
      this.#activities.cancel(Number(command.requestCancelActivity.seq));
    else if (command.updateResponse != null) {
      const { protocolInstanceId, accepted, rejected, completed } = command.updateResponse;
      const update = this.updates.get(protocolInstanceId ?? '');
      if (accepted != null) update?.changed({ isAccepted: true });
      else if (rejected != null) {
        update?.changed({ end: { kind: 'failed', error: errorOf(rejected) } });
        // A rejected update leaves no trace: the same id may be asked again.
        this.updates.delete(protocolInstanceId ?? '');
      } else if (completed != null)
        update?.changed({ isAccepted: true, end: { kind: 'answered', value: valueOf(completed) } });
    } else if (command.completeWorkflowExecution != null)
      this.#close({ kind: 'completed', value: valueOf(command.completeWorkflowExecution.result) ?? null });
    else if (command.failWorkflowExecution != null)
      this.#close({ kind: 'failed', message: command.failWorkflowExecution.failure?.message ?? '' });
    else if (command.continueAsNewWorkflowExecution != null) {
      const { arguments: given } = command.continueAsNewWorkflowExecution;
      this.#close({ kind: 'continued' });
      this.host.continued(this, (given ?? []).map(valueOf));
    }
  }

  #close(end: RunEnd): void {
    if (!this.isOpen) return;
    this.end = end;
    for (const update of this.updates.values())
      if (update.end === null) update.changed({ end: { kind: 'lost', isAccepted: update.isAccepted } });
    for (const stop of this.#timers.values()) stop();
    for (const { answer } of this.#queries.splice(0)) answer(null);
    this.#activities.clear();
    this.#timers.clear();
    this.host.closed(this);
    this.#closed();
    this.#jobs = [];
    // Queries of ended runs replay them: their history stays, their place in memory does not.
    void this.#instance?.dispose().catch(() => undefined);
    this.#instance = null;
  }

  #schedule(command: Command, serving: Serving | null): void {
    this.#activities.add(pendingOf(command, this.host.clock.nowMs, this.queue), serving);
  }

  #resolved(job: Job, isLocal: boolean): void {
    if (!isLocal) return this.#give(job);
    this.#localJobs.push(job);
    this.wake();
  }
}
