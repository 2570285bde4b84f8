// What an earlier attempt at writing a deposit stored.
import type { FoundDeposit } from '../../contract/temporal/transitions.js';
import type { DepositSnapshot } from '../../domain/deposit.js';
import type { Database } from '../database.js';
import { eventsSince } from '../events/events.js';
import { VersionGapError } from '../payments/version-gap.js';
import { depositSnapshot, findDeposit, sealedPayerOf } from './rows.js';

/**
 * The stored deposit and the events since `fromVersion`. Throws VersionGapError if the stored version is an earlier
 * one.
 */
export async function foundDeposit(
  database: Database,
  { id, operationId, version }: DepositSnapshot,
  fromVersion: number,
): Promise<FoundDeposit> {
  const row = await findDeposit(database, operationId, id);
  if (row === null || row.version < version) throw new VersionGapError(`deposit ${id}`, version, row?.version ?? 0);
  return {
    deposit: depositSnapshot(row),
    sealedPayer: sealedPayerOf(row),
    events: await eventsSince(database, id, fromVersion),
  };
}
