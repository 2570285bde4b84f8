// How many activities and messages a payment's workflow has, read from its history: what a bare baseline has to do as
// well.
import type { Stack } from '../harness/stack.js';
import type { BareHalf } from './baseline/workflows.js';

export interface HistoryShape {
  readonly events: number;
  readonly bytes: number;
  /** Writes of the workflow's state, as Temporal counts them. */
  readonly stateTransitions: number;
  /** What Temporal Cloud would charge for: starts, messages, activities, timers, changes of search attributes. */
  readonly actions: number;
  readonly before: BareHalf;
  readonly after: BareHalf;
}

const ACTIONS = [
  'workflowExecutionStartedEventAttributes',
  'workflowExecutionSignaledEventAttributes',
  'workflowExecutionUpdateAcceptedEventAttributes',
  'activityTaskScheduledEventAttributes',
  'markerRecordedEventAttributes',
  'timerStartedEventAttributes',
  'upsertWorkflowSearchAttributesEventAttributes',
  'startChildWorkflowExecutionInitiatedEventAttributes',
] as const;

/** The shape of a workflow once it has ended, halved where its first update was answered. */
export async function historyShape({ client }: Stack['temporal'], workflowId: string): Promise<HistoryShape> {
  const handle = client.workflow.getHandle(workflowId);
  await handle.result();
  const { events } = await handle.fetchHistory();
  const { raw } = await handle.describe();
  const all = events ?? [];
  const answered = all.findIndex((event) => event.workflowExecutionUpdateCompletedEventAttributes != null);
  const count = (half: typeof all): BareHalf => ({
    regular: half.filter((event) => event.activityTaskScheduledEventAttributes != null).length,
    local: half.filter((event) => event.markerRecordedEventAttributes?.markerName === 'core_local_activity').length,
  });
  const actions = all.filter((event) => ACTIONS.some((attributes) => event[attributes] != null)).length;
  const { historySizeBytes, stateTransitionCount } = raw.workflowExecutionInfo ?? {};
  return {
    events: all.length,
    bytes: Number(historySizeBytes ?? 0),
    stateTransitions: Number(stateTransitionCount ?? 0),
    actions,
    before: count(all.slice(0, answered)),
    after: count(all.slice(answered)),
  };
}
