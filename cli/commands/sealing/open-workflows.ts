// Counts open workflows by when they began.
import type { Client } from '@temporalio/client';

const TIMEOUT_MS = 10_000;

/** Open workflows of any kind that began before a moment: any of them may hold something sealed. */
export async function openPaymentsBefore(client: Client, moment: Date): Promise<number> {
  const { count } = await client.withDeadline(Date.now() + TIMEOUT_MS, () =>
    client.workflow.count(`ExecutionStatus = "Running" AND StartTime < "${moment.toISOString()}"`),
  );
  return count;
}
