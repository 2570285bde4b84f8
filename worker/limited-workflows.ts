// Ends workflow code that does not yield, and leaves its thread fit for the other workflows. The SDK limits each call
// into a workflow; this limits a task as a whole, whatever the number of its calls, and cleans up after it: what an
// ended task has queued must not run later, as part of another workflow.
import { type Context, Script } from 'node:vm';
import { ReusableVMWorkflow, ReusableVMWorkflowCreator } from '@temporalio/worker/lib/workflow/reusable-vm.js';
import { globalHandlers, type WorkflowModule } from '@temporalio/worker/lib/workflow/vm-shared.js';
import { CODE_LIMIT_MESSAGE } from './workflow-code-limit.js';
import { leaveAllScopes } from './workflow-storage.js';

type CreateOptions = Parameters<ReusableVMWorkflowCreator['createWorkflow']>[0];
type Activation = Parameters<ReusableVMWorkflow['activate']>[0];
/** What a workflow keeps of the global object while another one has it. */
interface Holder {
  bag: unknown;
}

/** The creator's own fields, which the SDK's type hides. */
interface Creator {
  readonly context: Context & { __TEMPORAL_ACTIVATOR__?: ConstructorParameters<typeof ReusableVMWorkflow>[2] };
  readonly pristineObj: unknown;
  readonly workflowBundle: { readonly sourceMap: unknown };
  readonly isolateExecutionTimeoutMs: number;
  readonly registeredActivityNames: Set<string>;
  readonly patchActivationCallback: unknown;
}

/**
 * Makes the function that puts a workflow's globals in the place of another's. The SDK does it within the time limit:
 * ended halfway (the process was stopped for a while), it would mix the globals of two workflows.
 */
const ENTER = new Script(`(holder) => {
  const left = globalThis.__TEMPORAL_BAG_HOLDER__;
  if (left === holder) return;
  if (left !== undefined) left.bag = Object.getOwnPropertyDescriptors(globalThis);
  const others = new Set(Reflect.ownKeys(globalThis));
  for (const name of Reflect.ownKeys(holder.bag)) {
    if (holder.bag[name].value !== globalThis[name]) Object.defineProperty(globalThis, name, holder.bag[name]);
    others.delete(name);
  }
  for (const name of others) delete globalThis[name];
  globalThis.__TEMPORAL_BAG_HOLDER__ = holder;
}`);
/** The SDK's call into the workflow whose globals are in place. What it queues runs before it returns. */
const CALL = new Script('__TEMPORAL_CALL_INTO_SCOPE()');
/** Runs what is queued. */
const DRAIN = new Script('undefined');
const DRAIN_LIMIT_MS = 100;

const entrances = new WeakMap<Context, (holder: Holder) => void>();

function entranceOf(context: Context): (holder: Holder) => void {
  const made = entrances.get(context) ?? (ENTER.runInContext(context) as (holder: Holder) => void);
  entrances.set(context, made);
  return made;
}

/** The calls into one workflow, and how much of its time the task has spent. */
class LimitedCalls {
  private spentMs = 0;
  private readonly enter: (holder: Holder) => void;

  constructor(
    private readonly context: Context,
    private readonly holder: Holder,
    private readonly limitMs: number,
  ) {
    this.enter = entranceOf(context);
  }

  startTask(): void {
    this.spentMs = 0;
  }

  call(name: string | symbol, given: readonly unknown[]): unknown {
    const leftMs = Math.ceil(this.limitMs - this.spentMs);
    if (leftMs <= 0) throw new Error(CODE_LIMIT_MESSAGE);
    const { context, holder } = this;
    leaveAllScopes();
    this.enter(holder);
    const startedMs = performance.now();
    try {
      context['__temporal_args'] = [holder, name, given];
      return CALL.runInContext(context, { timeout: leftMs, displayErrors: true });
    } catch (error) {
      this.drain();
      throw isTimeout(error) ? new Error(CODE_LIMIT_MESSAGE) : error;
    } finally {
      this.spentMs += performance.now() - startedMs;
    }
  }

  /** A call that failed may have left something queued. It runs now, in its own workflow, whose task fails anyway. */
  private drain(): void {
    leaveAllScopes();
    try {
      DRAIN.runInContext(this.context, { timeout: DRAIN_LIMIT_MS });
    } catch (error) {
      // Node then drops the rest.
      if (!isTimeout(error)) throw error;
    }
  }
}

/** Node's error belongs to the workflow's world: it is no instance of this world's Error. */
function isTimeout(error: unknown): boolean {
  return (error as { readonly code?: unknown } | null)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}

class LimitedWorkflow extends ReusableVMWorkflow {
  constructor(
    private readonly calls: LimitedCalls,
    ...given: ConstructorParameters<typeof ReusableVMWorkflow>
  ) {
    super(...given);
  }

  override activate(activation: Activation) {
    this.calls.startTask();
    return super.activate(activation);
  }

  override dispose(): Promise<void> {
    this.calls.startTask();
    return super.dispose();
  }
}

/** As the SDK does it, but with limited calls. */
async function createWorkflow(this: Creator, options: CreateOptions): Promise<LimitedWorkflow> {
  const { context } = this;
  const calls = new LimitedCalls(context, { bag: this.pristineObj }, this.isolateExecutionTimeoutMs);
  const module = new Proxy({} as WorkflowModule, {
    get:
      (_, name) =>
      (...given: readonly unknown[]) =>
        calls.call(name, given),
  });
  module.initRuntime({
    ...options,
    sourceMap: this.workflowBundle.sourceMap,
    getTimeOfDay: () => BigInt(Date.now()) * 1_000_000n,
    registeredActivityNames: this.registeredActivityNames,
    stackTracesEnabled: globalHandlers.promiseHookInstalled,
    patchActivationCallback: this.patchActivationCallback,
  } as Parameters<WorkflowModule['initRuntime']>[0]);
  const { __TEMPORAL_ACTIVATOR__: activator } = context;
  if (activator === undefined) throw new Error('the workflow has no activator');
  const { runId } = options.info;
  const workflow = new LimitedWorkflow(calls, runId, context, activator, module);
  ReusableVMWorkflowCreator.workflowByRunId.set(runId, workflow);
  return workflow;
}

/** In a workflow thread: makes the SDK create limited workflows. */
export function limitWorkflows(): void {
  Object.assign(ReusableVMWorkflowCreator.prototype, { createWorkflow });
}
