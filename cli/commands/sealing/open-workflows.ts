// Counts open workflows by their start.
import type { Client } from '@temporalio/client';

const TIMEOUT_MS = 10_000;

/** Open workflows of any kind that started before a moment: each may hold something sealed. */
export async function openWorkflowsBefore(client: Client, moment: Date): Promise<number> {
  const { count } = await client.withDeadline(Date.now() + TIMEOUT_MS, () =>
    client.workflow.count(`ExecutionStatus = "Running" AND StartTime < "${moment.toISOString()}"`),
  );
  return count;
}
