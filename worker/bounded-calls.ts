// Calls of the worker's own client to Temporal, which activities wait for: each ends in time.
import type { Client } from '@temporalio/client';

export const CALL_TIMEOUT_MS = 10_000;

/** Makes a call that fails when Temporal has not answered in time. */
export function boundedCalls(client: Client): <Result>(call: () => Promise<Result>) => Promise<Result> {
  return (call) => client.withDeadline(Date.now() + CALL_TIMEOUT_MS, call);
}
