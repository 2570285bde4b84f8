// The real workflow bundle, opened without a Temporal server. The SDK's own tests drive workflows this way. Its inner
// modules are not promised: the version is pinned, and with another one every run here would fail.
import { ApplicationFailure, DefaultFailureConverter, type Payload } from '@temporalio/common';
import { msToTs } from '@temporalio/common/lib/time.js';
import type { coresdk, temporal } from '@temporalio/proto';
import proto from '@temporalio/proto';
import { parseWorkflowCode } from '@temporalio/worker/lib/worker.js';
import { ReusableVMWorkflowCreator } from '@temporalio/worker/lib/workflow/reusable-vm.js';
import { globalHandlers } from '@temporalio/worker/lib/workflow/vm-shared.js';
import { payloadConverter } from '../../contract/temporal/payload-converter.js';

export type Job = coresdk.workflow_activation.IWorkflowActivationJob;
export type Command = coresdk.workflow_commands.IWorkflowCommand;
export type Failure = temporal.api.failure.v1.IFailure;
export type WorkflowInstance = Awaited<ReturnType<ReusableVMWorkflowCreator['createWorkflow']>>;

/** An activation that needs more rounds of unblocked conditions never ends. */
const MOST_ROUNDS = 1_000;

let loaded: Promise<ReusableVMWorkflowCreator> | null = null;

/** Of the first run that is opened: the bundle is loaded once for all of a process. */
function workflowCode({ steps, readBundle, codeLimitMs }: RunInfo): Promise<ReusableVMWorkflowCreator> {
  loaded ??= (async () => {
    const code = await readBundle();
    // Without a stack trace of every promise, as in the worker (worker/adapted-sdk.ts).
    Object.assign(globalHandlers, { setPromiseHook: () => undefined });
    return ReusableVMWorkflowCreator.create(parseWorkflowCode(code), codeLimitMs as number, new Set(steps));
  })();
  return loaded;
}

export interface RunInfo {
  readonly workflowId: string;
  readonly runId: string;
  readonly firstRunId: string;
  readonly type: string;
  readonly taskQueue: string;
  readonly startedAtMs: number;
  readonly nowMs: () => number;
  readonly seed: readonly number[];
  /** The activities that may run in a workflow's own task. */
  readonly steps: readonly string[];
  readonly readBundle: () => Promise<string>;
  /** Workflow code that runs longer is ended. Each call of it then begins and ends a thread that watches it. */
  readonly codeLimitMs: number | undefined;
}

/** A workflow in the shared context, before its first activation. */
export async function openWorkflow(run: RunInfo): Promise<WorkflowInstance> {
  const workflows = await workflowCode(run);
  const startTime = new Date(run.startedAtMs);
  const workflow = await workflows.createWorkflow({
    info: {
      workflowId: run.workflowId,
      runId: run.runId,
      workflowType: run.type,
      searchAttributes: {},
      typedSearchAttributes: [],
      taskQueue: run.taskQueue,
      namespace: 'lab',
      firstExecutionRunId: run.firstRunId,
      startTime,
      runStartTime: startTime,
      taskTimeoutMs: 10_000,
      attempt: 1,
      historyLength: 3,
      historySize: 300,
      continueAsNewSuggested: false,
      unsafe: { now: run.nowMs, isReplaying: false, isReplayingHistoryEvents: false },
    },
    randomnessSeed: [...run.seed],
    now: run.nowMs(),
    showStackTraceSources: false,
  } as never);
  bound(workflow);
  return workflow;
}

/** Throws inside the activation where conditions unblock each other without end. */
function bound(workflow: WorkflowInstance): void {
  const inside = workflow as unknown as {
    workflowModule: { tryUnblockConditions(): number };
    tryUnblockConditionsAndMicrotasks(): void;
  };
  inside.tryUnblockConditionsAndMicrotasks = () => {
    let rounds = 0;
    while (inside.workflowModule.tryUnblockConditions() > 0) {
      rounds += 1;
      if (rounds > MOST_ROUNDS) throw new Error('the workflow does not yield');
    }
  };
}

interface Activation {
  readonly runId: string;
  readonly atMs: number;
  readonly jobs: readonly Job[];
  readonly historyLength: number;
  readonly isReplaying: boolean;
  readonly suggestsContinueAsNew: boolean;
}

/** What the workflow wants after these jobs, or why its task failed. */
export async function activate(
  workflow: WorkflowInstance,
  { runId, atMs, jobs, historyLength, isReplaying, suggestsContinueAsNew }: Activation,
): Promise<{ readonly commands: readonly Command[] } | { readonly fault: string }> {
  const activation = proto.coresdk.workflow_activation.WorkflowActivation.fromObject({
    runId,
    timestamp: stamp(atMs),
    historyLength,
    historySizeBytes: historyLength * 200,
    continueAsNewSuggested: suggestsContinueAsNew,
    availableInternalFlags: [1, 2, 3, 4, 5, 6],
    isReplaying,
    jobs,
  });
  const completion = await workflow.activate(activation);
  if (completion.failed != null) return { fault: completion.failed.failure?.message ?? 'the task failed' };
  return { commands: completion.successful?.commands ?? [] };
}

const failures = new DefaultFailureConverter();

export const payloads = (...values: readonly unknown[]): Payload[] =>
  values.map((value) => payloadConverter.toPayload(value));
export const valueOf = (payload: temporal.api.common.v1.IPayload | null | undefined): unknown =>
  payload == null ? undefined : payloadConverter.fromPayload(payload as Payload);
export const failureOf = (error: unknown): Failure => failures.errorToFailure(error, payloadConverter) as Failure;
export const errorOf = (failure: Failure): Error => failures.failureToError(failure as never, payloadConverter);
const stamp = (ms: number) => msToTs(Math.round(ms));
export const msOf = (duration: { seconds?: unknown; nanos?: number | null } | null | undefined): number | null =>
  duration == null ? null : Number(duration.seconds ?? 0) * 1_000 + (duration.nanos ?? 0) / 1e6;

/** An activity as failures name it. */
export interface NamedActivity {
  readonly name: string;
  readonly seq: number;
  readonly last: Failure | null;
}

function about({ name, seq }: NamedActivity) {
  return { activityFailureInfo: { activityType: { name }, activityId: `${seq}`, retryState: 0 } };
}

export function failed(activity: NamedActivity): Failure {
  return { message: 'Activity task failed', cause: activity.last, ...about(activity) };
}

export function timedOut(activity: NamedActivity): Failure {
  const { TIMEOUT_TYPE_SCHEDULE_TO_CLOSE: timeoutType } = proto.temporal.api.enums.v1.TimeoutType;
  const cause = {
    message: 'activity ScheduleToClose timeout',
    timeoutFailureInfo: { timeoutType },
    cause: activity.last,
  };
  return { message: 'Activity task timed out', cause, ...about(activity) };
}

/** One try that ran too long, or whose worker is gone. */
export function tryTimedOut(last: Failure | null): Failure {
  const { TIMEOUT_TYPE_START_TO_CLOSE: timeoutType } = proto.temporal.api.enums.v1.TimeoutType;
  return { message: 'activity StartToClose timeout', timeoutFailureInfo: { timeoutType }, cause: last };
}

export function cancelled(activity: NamedActivity): Failure {
  return {
    message: 'Activity task cancelled',
    cause: { message: 'cancelled', canceledFailureInfo: {} },
    ...about(activity),
  };
}

export const isFinalFailure = (error: unknown): boolean =>
  error instanceof ApplicationFailure && error.nonRetryable === true;

interface Started {
  readonly type: string;
  readonly workflowId: string;
  readonly input: readonly unknown[];
  readonly startedAtMs: number;
}

/** What the first task of a run is about. */
export function beginningOf({ type, workflowId, input, startedAtMs }: Started, firstRunId: string, seed: number): Job {
  return {
    initializeWorkflow: {
      workflowType: type,
      workflowId,
      arguments: payloads(...input),
      attempt: 1,
      startTime: { seconds: Math.floor(startedAtMs / 1_000) as never, nanos: (startedAtMs % 1_000) * 1e6 },
      firstExecutionRunId: firstRunId,
      randomnessSeed: seed as never,
    },
  };
}
