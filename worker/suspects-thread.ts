// The thread of workflows whose task failed. All workflows of a worker share one thread, so one that does not yield
// would hold up the others at every repeat of its task. From its second task on it runs in a thread of its kind, which
// is started when it is first needed.
import { createRequire } from 'node:module';
import type { EventEmitter } from 'node:events';
import { Worker as Thread } from 'node:worker_threads';
import type { Worker } from '@temporalio/worker';
import {
  ThreadedVMWorkflowCreator,
  type ThreadedVMWorkflowCreatorOptions as CreatorOptions,
  VMWorkflowThreadProxy,
  WorkerThreadClient,
} from '@temporalio/worker/lib/workflow/threaded-vm.js';
import { CODE_LIMIT_MESSAGE, SUSPECT_CODE_LIMIT_MS } from './workflow-code-limit.js';

type CreateOptions = Parameters<ThreadedVMWorkflowCreator['createWorkflow']>[0];
type Activation = Parameters<VMWorkflowThreadProxy['activate']>[0];

/** In the message with which the SDK's core evicts a workflow whose result differs from its history. */
const NONDETERMINISM = 'TMPRL1100';

const THREAD_FILE = createRequire(import.meta.url).resolve('@temporalio/worker/lib/workflow/workflow-worker-thread.js');
/** `at function (path/file:line:column)` */
const FIRST_FRAME = /^\s+at (?:async )?([\w.]{1,80})(?: \((?:[^()]{0,500}\/)?([\w.-]{1,80}:\d+):\d+\))?/m;
/** The oldest are forgotten: their next failure is noted again. */
const MOST_SUSPECTS = 1_000;

/** A run of a workflow in this process. */
export interface Run {
  readonly workflowId: string;
  readonly runId: string;
  readonly workflowType: string;
}

/** Why a task failed: its code differs from the history, does not yield, or throws. */
export type FailureReason =
  | { readonly is: 'history' | 'endless' }
  /** The kind of the error and its place in the code, without its message, which is in the log. */
  | { readonly is: 'error'; readonly error: string; readonly where: string | null; readonly file: string | null };

export interface FailedTask extends Run {
  readonly reason: FailureReason;
}

const suspects = new Set<string>();
const runs = new Map<string, Run>();
const listeners = new Set<(failed: FailedTask) => void>();

/** Calls `noticed` for each failed task of a workflow, until the returned function is called. */
export function onFailedTask(noticed: (failed: FailedTask) => void): () => void {
  listeners.add(noticed);
  return () => void listeners.delete(noticed);
}

/** The SDK's core compares a task's result with the history. A difference shows only when it evicts the workflow. */
export function noteDifferences(worker: Worker): void {
  const { evictionsEmitter } = worker as unknown as { readonly evictionsEmitter: EventEmitter };
  evictionsEmitter.on('eviction', ({ runId, evictJob }: { runId: string; evictJob: { message?: string | null } }) => {
    if (evictJob.message?.includes(NONDETERMINISM)) noteFailedTask(runId, { is: 'history' });
  });
}

function noteFailedTask(runId: string, reason: FailureReason): void {
  suspects.delete(runId);
  suspects.add(runId);
  const [oldest] = suspects;
  if (suspects.size > MOST_SUSPECTS && oldest !== undefined) suspects.delete(oldest);
  const run = runs.get(runId);
  if (run !== undefined) for (const noticed of listeners) noticed({ ...run, reason });
}

/** Without the message, which might contain data. */
function reasonOf(message?: string | null, stack?: string | null): FailureReason {
  if (message === CODE_LIMIT_MESSAGE) return { is: 'endless' };
  const [error = 'Error'] = /^\w{0,60}(?:Error|Failure)\b/m.exec(stack ?? '') ?? [];
  const [, where = null, file = null] = FIRST_FRAME.exec(stack ?? '') ?? [];
  return { is: 'error', error, where, file };
}

/** Notes a call that throws. */
async function noting<Result>(runId: string, call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    noteFailedTask(runId, error instanceof Error ? reasonOf(error.message, error.stack) : reasonOf());
    throw error;
  }
}

let isSeparated = false;

/** Makes the SDK place workflows so: before the first worker of a process is created. */
export function separateSuspects(): void {
  if (isSeparated) return;
  isSeparated = true;
  const { create } = ThreadedVMWorkflowCreator;
  const { activate, dispose } = VMWorkflowThreadProxy.prototype;
  const optionsOf = new WeakMap<ThreadedVMWorkflowCreator, CreatorOptions>();
  const threads = new WeakMap<ThreadedVMWorkflowCreator, Promise<WorkerThreadClient>>();

  const threadOf = (creator: ThreadedVMWorkflowCreator) => {
    const options = optionsOf.get(creator);
    if (options === undefined) throw new Error('a creator of workflows that this process did not make');
    const known = threads.get(creator);
    if (known !== undefined) return known;
    const thread = startThread(creator, options);
    threads.set(creator, thread);
    thread.catch(() => threads.delete(creator));
    return thread;
  };
  Object.assign(ThreadedVMWorkflowCreator, {
    create: async (options: CreatorOptions) => {
      const creator = await create.call(ThreadedVMWorkflowCreator, options);
      optionsOf.set(creator, options);
      return creator;
    },
  });
  Object.assign(ThreadedVMWorkflowCreator.prototype, {
    async createWorkflow(this: ThreadedVMWorkflowCreator, options: CreateOptions) {
      const { runId, workflowId, workflowType } = options.info;
      runs.set(runId, { runId, workflowId, workflowType });
      const thread = async () => (suspects.has(runId) ? threadOf(this) : sharedThreadOf(this));
      try {
        return await noting(runId, async () => VMWorkflowThreadProxy.create(await thread(), options));
      } catch (error) {
        // Nobody disposes of what was not created.
        runs.delete(runId);
        throw error;
      }
    },
  });
  Object.assign(VMWorkflowThreadProxy.prototype, {
    async activate(this: VMWorkflowThreadProxy, activation: Activation) {
      const completion = await noting(this.runId, () => activate.call(this, activation));
      const failure = completion.failed?.failure;
      if (failure) noteFailedTask(this.runId, reasonOf(failure.message, failure.stackTrace));
      return completion;
    },
    dispose(this: VMWorkflowThreadProxy) {
      runs.delete(this.runId);
      return dispose.call(this);
    },
  });
}

/** The gateway's workers have one. */
function sharedThreadOf(creator: ThreadedVMWorkflowCreator): WorkerThreadClient {
  const [first] = clientsOf(creator);
  if (first === undefined) throw new Error('a worker without a thread for workflows');
  return first;
}

function clientsOf(creator: ThreadedVMWorkflowCreator): WorkerThreadClient[] {
  return (creator as unknown as { readonly workerThreadClients: WorkerThreadClient[] }).workerThreadClients;
}

async function startThread(
  creator: ThreadedVMWorkflowCreator,
  { logger, workflowBundle, reuseV8Context, registeredActivityNames, patchActivationCallback }: CreatorOptions,
): Promise<WorkerThreadClient> {
  const client = new WorkerThreadClient(new Thread(THREAD_FILE), logger, patchActivationCallback);
  // The creator ends all its threads.
  clientsOf(creator).push(client);
  await client.send({
    type: 'init',
    workflowBundle,
    isolateExecutionTimeoutMs: SUSPECT_CODE_LIMIT_MS,
    reuseV8Context,
    registeredActivityNames,
    hasPatchActivationCallback: patchActivationCallback !== undefined,
  });
  return client;
}
