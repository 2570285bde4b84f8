// What an earlier attempt at writing a withdrawal stored.
import type { FoundWithdrawal } from '../../contract/temporal/transitions.js';
import type { WithdrawalSnapshot } from '../../domain/withdrawal.js';
import type { Database } from '../database.js';
import { eventsSince } from '../events/events.js';
import { VersionGapError } from '../payments/version-gap.js';
import { findWithdrawal, withdrawalSnapshot } from './rows.js';

/**
 * The stored withdrawal and the events since `fromVersion`. Throws VersionGapError if the stored version is an earlier
 * one.
 */
export async function foundWithdrawal(
  database: Database,
  { id, operationId, version }: WithdrawalSnapshot,
  fromVersion: number,
): Promise<FoundWithdrawal> {
  const row = await findWithdrawal(database, operationId, id);
  if (row === null || row.version < version) throw new VersionGapError(`withdrawal ${id}`, version, row?.version ?? 0);
  return { withdrawal: withdrawalSnapshot(row), events: await eventsSince(database, id, fromVersion) };
}
