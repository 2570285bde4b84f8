// What Temporal shows about workflows to anyone who may read it: their histories, and what its lists contain.
import type { Client, WorkflowHandle } from '@temporalio/client';

/** Something that was read, by the name it has in a report. */
export interface Place {
  readonly name: string;
  readonly bytes: Buffer;
}

/** Between pieces, so that two of them never make a text. */
export const SEPARATOR = Buffer.from('\n');
const HISTORIES_AT_ONCE = 8;

/**
 * The histories of the workflows that the query lists (all without one), with everything that is in them: inputs,
 * results, failures, memos, search attributes, details; and what the list says of each.
 */
export async function historiesIn({ workflow }: Client, query?: string): Promise<Place[]> {
  const listed: { workflowId: string; runId: string; bytes: Buffer }[] = [];
  for await (const { workflowId, runId, raw } of workflow.list(query === undefined ? {} : { query }))
    listed.push({ workflowId, runId, bytes: textsOf(raw) });
  const places: Place[] = [];
  const next = async (): Promise<void> => {
    for (let one = listed.pop(); one !== undefined; one = listed.pop()) {
      places.push(
        { name: `what Temporal lists of ${one.workflowId}`, bytes: one.bytes },
        {
          name: `the Temporal history of ${one.workflowId}`,
          bytes: await historyOf(workflow.getHandle(one.workflowId, one.runId)),
        },
      );
    }
  };
  await Promise.all(Array.from({ length: HISTORIES_AT_ONCE }, next));
  return places;
}

const historyOf = async (handle: WorkflowHandle): Promise<Buffer> => textsOf(await handle.fetchHistory());

/** Every text and every payload in it, decoded as far as bytes go. */
function textsOf(something: unknown): Buffer {
  const pieces: Buffer[] = [];
  const collect = (value: unknown): void => {
    if (typeof value === 'string') pieces.push(Buffer.from(value, 'utf8'), SEPARATOR);
    else if (value instanceof Uint8Array) pieces.push(Buffer.from(value), SEPARATOR);
    else if (typeof value === 'object' && value !== null)
      for (const [name, inner] of Object.entries(value)) [name, inner].forEach(collect);
  };
  collect(something);
  return Buffer.concat(pieces);
}
