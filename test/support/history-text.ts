// All text in a workflow's history, payloads included: what a reader of Temporal can read.
import type { WorkflowHandle } from '@temporalio/client';

export async function historyText(handle: WorkflowHandle): Promise<string> {
  const { events } = await handle.fetchHistory();
  return textsOf(events).join('\n');
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (value instanceof Uint8Array) return [Buffer.from(value).toString('utf8')];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsOf);
}
