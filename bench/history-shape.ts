// How many activities and messages a payment's workflow has, read from its history: what a bare baseline has to do as well.
import { Connection, WorkflowClient } from '@temporalio/client';
import type { BareHalf } from './baseline/workflows.js';

export interface HistoryShape {
  readonly events: number;
  readonly before: BareHalf;
  readonly after: BareHalf;
}

/** The shape of an ended workflow, halved where its first update was answered. */
export async function historyShape({ address, namespace }: { address: string; namespace: string }, workflowId: string): Promise<HistoryShape> {
  const connection = await Connection.connect({ address });
  try {
    const { events } = await new WorkflowClient({ connection, namespace }).getHandle(workflowId).fetchHistory();
    const all = events ?? [];
    const answered = all.findIndex((event) => event.workflowExecutionUpdateCompletedEventAttributes != null);
    const count = (half: typeof all): BareHalf => ({
      regular: half.filter((event) => event.activityTaskScheduledEventAttributes != null).length,
      local: half.filter((event) => event.markerRecordedEventAttributes?.markerName === 'core_local_activity').length,
    });
    return { events: all.length, before: count(all.slice(0, answered)), after: count(all.slice(answered)) };
  } finally {
    await connection.close();
  }
}
