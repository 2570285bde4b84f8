// Temporal without a server: the runs of every workflow, and what the gateway's processes ask about them. Its client
// answers with the SDK's own results and errors.
import { asyncLocalStorage, type Context } from '@temporalio/activity';
import {
  ServiceError,
  WorkflowExecutionAlreadyStartedError,
  WorkflowFailedError,
  type Client,
  type WithStartWorkflowOperation,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';
import { ApplicationFailure, type Workflow } from '@temporalio/common';
import { payloadConverter } from '../../contract/temporal/payload-converter.js';
import type { TaskQueue } from '../../contract/temporal/workers.js';
import type { Chance } from '../machine/chance.js';
import { isDead, outsideProcesses, presentProcess, silence } from '../machine/processes.js';
import type { HostedRun, RunClock, RunHost, Serving, StepInfo } from './host.js';
import type { RunEnd, RunUpdate } from './parts.js';
import { Run } from './run.js';
import { type Command, type Job, payloads, valueOf } from './workflow-code.js';

/** What becomes of a call to Temporal. `lost`: it is done, and its answer is lost. */
export type CallFate = 'done' | 'refused' | 'lost';

export interface TemporalOptions {
  readonly clock: RunClock;
  readonly chance: Chance;
  readonly processorMs: () => number;
  readonly watch: Pick<RunHost, 'activated' | 'tried' | 'taskFailed' | 'broken' | 'sometimes'>;
}

/** A workflow, signal, query or update. */
type TypeName = string | { readonly name: string };

interface StartOptions {
  readonly workflowId: string;
  readonly taskQueue: string;
  readonly args?: readonly unknown[];
  readonly workflowIdReusePolicy?: string;
  readonly workflowIdConflictPolicy?: string;
  readonly typedSearchAttributes?: readonly { readonly key: TypeName; readonly value: unknown }[];
}

/** As the payload converter hands it over: what is not JSON does not arrive. */
const carried = (values: readonly unknown[]): unknown[] =>
  payloads(...values).map((payload) => payloadConverter.fromPayload(payload));

export class LabTemporal implements RunHost {
  readonly #runs = new Map<string, Run[]>();
  /** What runs can be searched for by. */
  readonly #attributes = new Map<HostedRun, Map<string, unknown>>();
  readonly #workers = new Map<TaskQueue, Serving>();
  #runIds = 0;
  readonly clock: RunClock;
  readonly chance: Chance;
  fateOf: () => CallFate = () => 'done';
  /** How long a task waits for its worker. */
  taskDelayMs = () => 1;
  suggestsContinueAsNew: RunHost['suggestsContinueAsNew'] = () => false;
  /** Hears what the histories get. */
  onRecorded: NonNullable<RunHost['recorded']> = () => undefined;
  readBundle?: RunHost['readBundle'];
  /** Far beyond a second of a processor, which the judge finds: a busy machine must not end a task. */
  codeLimitMs: RunHost['codeLimitMs'] = 30_000;

  constructor(private readonly options: TemporalOptions) {
    ({ clock: this.clock, chance: this.chance } = options);
  }

  // What runs need.
  serving(queue: TaskQueue): Serving | null {
    const serving = this.#workers.get(queue);
    return serving === undefined || serving.process.isDead ? null : serving;
  }

  processorMs = () => this.options.processorMs();
  activated: RunHost['activated'] = (...given) => this.options.watch.activated(...given);
  tried: RunHost['tried'] = (...given) => this.options.watch.tried(...given);
  taskFailed: RunHost['taskFailed'] = (...given) => this.options.watch.taskFailed(...given);
  broken: RunHost['broken'] = (...given) => this.options.watch.broken(...given);
  sometimes: RunHost['sometimes'] = (what) => this.options.watch.sometimes(what);
  closed: RunHost['closed'] = () => undefined;

  continued(run: HostedRun, input: readonly unknown[]): void {
    this.sometimes('a history continued as a new one');
    const next = this.#begin(run.type, { workflowId: run.workflowId, taskQueue: run.queue, args: input });
    this.#attributes.set(next, new Map(this.#attributes.get(run)));
  }

  recorded(run: HostedRun, event: Job | Command): void {
    const upserted = 'upsertWorkflowSearchAttributes' in event ? event.upsertWorkflowSearchAttributes : null;
    for (const [name, payload] of Object.entries(upserted?.searchAttributes?.indexedFields ?? {}))
      this.#attributes.get(run)?.set(name, valueOf(payload));
    this.onRecorded(run, event);
  }

  inContext<T>(info: StepInfo, work: () => Promise<T>): Promise<T> {
    const cancellationSignal = new AbortController().signal;
    const context = { heartbeat: () => undefined, info, cancellationSignal };
    return asyncLocalStorage.run(context as unknown as Context, work);
  }

  /** The workers of the queues from now on. */
  serve(workers: ReadonlyMap<TaskQueue, Serving>): void {
    this.#workers.clear();
    for (const [queue, serving] of workers) this.#workers.set(queue, serving);
    for (const runs of this.#runs.values()) runs.at(-1)?.workersChanged();
  }

  // What the world asks.
  get openRuns(): readonly Run[] {
    return [...this.#runs.values()].flatMap((runs) => runs.filter(({ isOpen }) => isOpen));
  }

  get allRuns(): readonly Run[] {
    return [...this.#runs.values()].flat();
  }

  latest(workflowId: string): Run | null {
    return this.#runs.get(workflowId)?.at(-1) ?? null;
  }

  /** Lets the latest run of the workflow go on from one of its earlier tasks, as somebody with Temporal's command may. */
  reset(workflowId: string): Run | null {
    const runs = this.#runs.get(workflowId) ?? [];
    const run = runs.at(-1);
    const again = run?.reset(`run-${(this.#runIds += 1)}`, (tasks) => this.chance.whole(0, tasks - 1)) ?? null;
    if (run === undefined || again === null) return null;
    this.#attributes.set(again, new Map(this.#attributes.get(run)));
    this.#runs.set(workflowId, [...runs, again]);
    return again;
  }

  /** Starts one of the gateway's scheduled workflows; its run of the last time goes on. */
  startScheduled(type: string, workflowId: string, args: readonly unknown[]): void {
    if (this.latest(workflowId)?.isOpen !== true) this.#begin(type, { workflowId, taskQueue: 'payments', args });
  }

  /** The client of a process. */
  client(): Client {
    const workflow = {
      withDeadline: (deadline: number | Date, call: () => Promise<unknown>) => this.#within(Number(deadline), call),
      start: (type: TypeName, options: StartOptions) =>
        this.#call(() => {
          const { runId } = this.#start(nameOf(type), options);
          return { ...this.#handle(options.workflowId), firstExecutionRunId: runId };
        }),
      execute: (type: TypeName, options: StartOptions) =>
        this.#call(() => {
          this.#start(nameOf(type), options);
          return this.#result(options.workflowId);
        }),
      signalWithStart: (
        type: TypeName,
        options: StartOptions & { signal: TypeName; signalArgs?: readonly unknown[] },
      ) =>
        this.#call(async () => {
          const run = this.#startOrUse(nameOf(type), options);
          run.signal(nameOf(options.signal), carried(options.signalArgs ?? []));
        }),
      executeUpdateWithStart: (
        update: TypeName,
        options: {
          args?: readonly unknown[];
          updateId?: string;
          startWorkflowOperation: WithStartWorkflowOperation<Workflow>;
        },
      ) =>
        this.#call(async () => {
          const { workflowTypeOrFunc, options: start } = options.startWorkflowOperation;
          const run = this.#startOrUse(nameOf(workflowTypeOrFunc), start as unknown as StartOptions, options.updateId);
          const id = options.updateId ?? this.chance.uuid();
          return ended(run.update(nameOf(update), id, carried(options.args ?? [])), run);
        }),
      getHandle: (workflowId: string, runId?: string) => this.#handle(workflowId, runId),
    };
    const history = async ({ execution }: { execution: { workflowId: string; runId?: string } }) => {
      const run = this.#find(execution.workflowId, execution.runId);
      if (run === null) throw Object.assign(new Error('not found'), { code: 5, details: '', metadata: {} });
      const workflowExecutionStartedEventAttributes = {
        workflowType: { name: run.type },
        taskQueue: { name: run.queue },
        input: { payloads: payloads(...run.input) },
        firstExecutionRunId: this.#runs.get(run.workflowId)?.[0]?.runId ?? run.runId,
      };
      return { history: { events: [{ workflowExecutionStartedEventAttributes }] } };
    };
    const client = {
      workflow,
      withDeadline: workflow.withDeadline,
      options: { namespace: 'lab' },
      workflowService: { getWorkflowExecutionHistory: (request: never) => this.#call(() => history(request)) },
    };
    return client as unknown as Client;
  }

  #handle(workflowId: string, runId?: string) {
    const find = (): Run => {
      const run = this.#find(workflowId, runId);
      if (run === null) throw new WorkflowNotFoundError('workflow not found', workflowId, runId);
      return run;
    };
    const findOpen = (): Run => {
      const run = find();
      if (!run.isOpen) throw new WorkflowNotFoundError('workflow execution already completed', workflowId, runId);
      return run;
    };
    const updated = (update: TypeName, options: { args?: readonly unknown[]; updateId?: string } = {}) => {
      const run = findOpen();
      return {
        run,
        update: run.update(nameOf(update), options.updateId ?? this.chance.uuid(), carried(options.args ?? [])),
      };
    };
    const updateHandle = (run: Run, update: RunUpdate) => ({ result: () => this.#call(() => ended(update, run)) });
    return {
      workflowId,
      query: (query: TypeName) =>
        this.#call(async () => {
          const answer = await find().query(nameOf(query));
          if (answer === null) throw unavailable();
          if ('message' in answer) throw new Error(answer.message);
          return answer.value;
        }),
      signal: (signal: TypeName, ...args: unknown[]) =>
        this.#call(async () => findOpen().signal(nameOf(signal), carried(args))),
      executeUpdate: (update: TypeName, options?: object) =>
        this.#call(async () => {
          const made = updated(update, options);
          return ended(made.update, made.run);
        }),
      startUpdate: (update: TypeName, options: object) =>
        this.#call(async () => {
          const made = updated(update, options);
          await made.update.until(({ isAccepted, end }) => isAccepted || end !== null);
          if (made.update.end !== null && !made.update.isAccepted) await ended(made.update, made.run);
          return updateHandle(made.run, made.update);
        }),
      getUpdateHandle: (updateId: string) => ({
        result: () =>
          this.#call(async () => {
            const run = find();
            const update = run.updates.get(updateId);
            if (update === undefined) throw new WorkflowNotFoundError('no such update', workflowId, runId);
            return ended(update, run);
          }),
      }),
      result: () => this.#call(() => this.#result(workflowId)),
      terminate: (reason: string) => this.#call(async () => findOpen().terminate(reason)),
      cancel: () => this.#call(async () => findOpen().cancel()),
      describe: () =>
        this.#call(async () => {
          const run = find();
          return {
            runId: run.runId,
            status: { name: run.end === null ? 'RUNNING' : STATUSES[run.end.kind] },
            historyLength: run.events,
            typedSearchAttributes: { get: (key: TypeName) => this.#attributes.get(run)?.get(nameOf(key)) },
            raw: {
              pendingActivities: run.pendingActivities.map(({ name, tries, last }) => ({
                activityType: { name },
                attempt: tries,
                lastFailure: last,
              })),
              pendingWorkflowTask: run.failedTasks > 0 ? { attempt: run.failedTasks + 1 } : null,
            },
          };
        }),
    };
  }

  async #result(workflowId: string): Promise<unknown> {
    for (;;) {
      const run = this.#find(workflowId, undefined);
      if (run === null) throw new WorkflowNotFoundError('workflow not found', workflowId, undefined);
      if (run.end?.kind === 'completed') return run.end.value;
      if (run.end !== null && run.end.kind !== 'continued')
        throw new WorkflowFailedError(
          'failed',
          ApplicationFailure.nonRetryable(run.end.message),
          'non-retryable' as never,
        );
      await run.closed;
    }
  }

  #find(workflowId: string, runId: string | undefined): Run | null {
    const runs = this.#runs.get(workflowId) ?? [];
    return (runId === undefined ? runs.at(-1) : runs.find((run) => run.runId === runId)) ?? null;
  }

  /** `updateId`: an update that the run of before knows is answered from it, as Temporal does. */
  #startOrUse(type: string, options: StartOptions, updateId?: string): Run {
    const latest = this.latest(options.workflowId);
    if (latest?.isOpen === true) return latest;
    if (latest !== null && updateId !== undefined && latest.updates.get(updateId)?.end?.kind === 'answered')
      return latest;
    return this.#start(type, options);
  }

  #start(type: string, options: StartOptions): Run {
    const { workflowId, workflowIdReusePolicy = 'ALLOW_DUPLICATE', workflowIdConflictPolicy = 'FAIL' } = options;
    const latest = this.latest(workflowId);
    if (latest?.isOpen === true) {
      if (workflowIdConflictPolicy === 'USE_EXISTING') return latest;
      throw new WorkflowExecutionAlreadyStartedError('already started', workflowId, type);
    }
    const isFailed = latest?.end?.kind === 'failed' || latest?.end?.kind === 'terminated';
    if (latest !== null && workflowIdReusePolicy === 'ALLOW_DUPLICATE_FAILED_ONLY' && !isFailed)
      throw new WorkflowExecutionAlreadyStartedError('already started', workflowId, type);
    return this.#begin(type, options);
  }

  #begin(type: string, { workflowId, taskQueue, args = [], typedSearchAttributes = [] }: StartOptions): Run {
    const runId = `run-${(this.#runIds += 1)}`;
    const run = new Run(this, type, workflowId, runId, taskQueue as TaskQueue, carried(args));
    this.#attributes.set(run, new Map(typedSearchAttributes.map(({ key, value }) => [nameOf(key), value])));
    this.#runs.set(workflowId, [...(this.#runs.get(workflowId) ?? []), run]);
    return run;
  }

  /** A call over the network: it may fail before or after its effect, and a dead process hears nothing. */
  async #call<T>(work: () => T | Promise<T>): Promise<T> {
    const process = presentProcess();
    if (isDead(process)) return silence();
    const fate = this.fateOf();
    if (fate === 'refused') throw unavailable();
    const result = await outsideProcesses(work);
    await this.clock.thawed(process);
    if (isDead(process)) return silence();
    if (fate === 'lost') throw unavailable();
    return result;
  }

  #within<T>(deadlineMs: number, call: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const leftMs = deadlineMs - Date.now();
      const stop = this.clock.after(leftMs, () => reject(new WorkflowUpdateRPCTimeoutOrCancelledError('deadline')));
      call().then(resolve, reject).finally(stop);
    });
  }
}

const STATUSES: Readonly<Record<RunEnd['kind'], string>> = {
  completed: 'COMPLETED',
  failed: 'FAILED',
  terminated: 'TERMINATED',
  continued: 'CONTINUED_AS_NEW',
};

async function ended(update: RunUpdate, run: Run): Promise<unknown> {
  await update.until(({ end }) => end !== null);
  const { end } = update;
  if (end?.kind === 'answered') return end.value;
  if (end?.kind === 'failed') throw new WorkflowUpdateFailedError('update failed', end.error);
  if (update.isAccepted)
    throw new WorkflowUpdateFailedError(
      'update failed',
      ApplicationFailure.nonRetryable('the workflow ended', 'AcceptedUpdateCompletedWorkflow'),
    );
  throw new WorkflowNotFoundError('workflow execution already completed', run.workflowId, run.runId);
}

function unavailable(): ServiceError {
  const cause = Object.assign(new Error('14 UNAVAILABLE'), { code: 14, details: '', metadata: {} });
  return new ServiceError('Unexpected error while making gRPC request', { cause });
}

const nameOf = (named: TypeName): string => (typeof named === 'string' ? named : named.name);
