// What a stack leaves behind when a test fails: the logs of its processes and the histories of its workflows. A failure
// that comes once in fifty runs cannot be explained without them.
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Client } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { inRoot } from '../bootstrap/root.mjs';

const KEPT = inRoot('var', 'failed-tests');
const MOST_HISTORIES = 100;

let hasFailed = false;

/** A test of the file that this process runs has failed. */
export function testFailed(): void {
  hasFailed = true;
}

/** The process begins with another file. */
export function fileStarted(): void {
  hasFailed = false;
}

/** Keeps the stack's files if a test has failed, and says where. Call it before the stack is stopped. */
export async function keepIfFailed(home: string, temporal: Client): Promise<void> {
  if (!hasFailed) return;
  const kept = join(KEPT, `${new Date().toISOString().replaceAll(':', '-')}-${basename(home)}`);
  mkdirSync(kept, { recursive: true });
  cpSync(home, kept, { recursive: true });
  await keepHistories(kept, temporal).catch((error: unknown) => console.error('no histories:', error));
  console.error(`logs and histories: ${kept}`);
}

async function keepHistories(folder: string, { workflow }: Client): Promise<void> {
  let kept = 0;
  for await (const { workflowId, runId } of workflow.list()) {
    const history = await workflow.getHandle(workflowId, runId).fetchHistory();
    const name = `${workflowId}-${runId.slice(0, 8)}.json`.replaceAll('/', '-');
    writeFileSync(join(folder, name), historyToJSON(history));
    kept += 1;
    if (kept === MOST_HISTORIES) return;
  }
}
