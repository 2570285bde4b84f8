// What each sealing key has sealed, and whether it can be retired. Reads whole tables.
import type { Client } from '@temporalio/client';
import type { Database } from '../../store/database.js';
import { type KeyStatus, sealingStatus } from '../../store/sealing/key-use.js';
import type { Sealer } from '../../store/sealing/sealer.js';

const TIMEOUT_MS = 10_000;

/** The status of every key. Without a client the open workflows are not counted. */
export function readSealingStatus(database: Database, sealer: Sealer, client: Client | null): Promise<KeyStatus[]> {
  const openBefore = client === null ? null : (moment: Date) => openWorkflowsBefore(client, moment);
  return sealingStatus(database, { currentKeyId: sealer.currentKeyId(), knownKeyIds: [], openBefore, nowMs: Date.now });
}

/** Open workflows of any kind that started before a moment: each may hold something sealed. */
async function openWorkflowsBefore(client: Client, moment: Date): Promise<number> {
  const { count } = await client.withDeadline(Date.now() + TIMEOUT_MS, () =>
    client.workflow.count(`ExecutionStatus = "Running" AND StartTime < "${moment.toISOString()}"`),
  );
  return count;
}
