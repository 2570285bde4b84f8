// The rows of wrapped data keys. Every change is a person's action, with its entry in the audit trail. SQL only where a
// row is locked.
import type { NamedAction } from '../../domain/audit-actions.js';
import type { DoneBy } from '../../domain/staff.js';
import { appendAudit } from '../audit/audit.js';
import type { Database } from '../database.js';
import { inTransaction, type Transaction } from '../transactions.js';
import { isUniqueViolation } from '../errors.js';
import type { KeyPurpose } from './keys.js';

/** How long before a new key seals: by then every process has read it and can open values that are sealed with it. */
export const ACTIVE_AFTER_SECONDS = 120;

export interface WrappedKey {
  readonly id: string;
  /** Keys of several purposes that were made together share their id. */
  readonly purpose: KeyPurpose;
  readonly wrapped: string;
  readonly activeFrom: Date;
}

/** Every key that is not retired. */
export async function readDataKeys(database: Database): Promise<WrappedKey[]> {
  const rows = await database.dataKey.findMany({
    where: { retiredAt: null },
    orderBy: [{ activeFrom: 'desc' }, { id: 'asc' }, { purpose: 'asc' }],
    take: 1_000,
  });
  return rows.map(({ id, purpose, wrapped, activeFrom }) => ({
    id,
    purpose: purpose as WrappedKey['purpose'],
    wrapped,
    activeFrom,
  }));
}

/** Stores the first keys. False if there are keys already. */
export async function insertFirstKeys(
  database: Database,
  keys: readonly WrappedKey[],
  person: DoneBy,
): Promise<boolean> {
  try {
    await inTransaction(database, async (transaction) => {
      await transaction.dataKey.createMany({ data: keys.map((key) => ({ ...key })) });
      await audit(transaction, person, 'sealing.init', idsOf(keys));
    });
    return true;
  } catch (error) {
    if (isUniqueViolation(error)) return false;
    throw error;
  }
}

/** A new key of each purpose, as the vault wrapped it. */
export type NewKeys = readonly Pick<WrappedKey, 'purpose' | 'wrapped'>[];

/**
 * Stores further sealing keys under the next free id (`v1`, `v2`, …). They become current after ACTIVE_AFTER_SECONDS.
 */
export async function insertNextKeys(
  database: Database,
  keys: NewKeys,
  person: DoneBy,
): Promise<Pick<WrappedKey, 'id' | 'activeFrom'>> {
  return inTransaction(database, async (transaction) => {
    await transaction.$queryRaw`SELECT 1 AS locked FROM data_key WHERE purpose = 'look_up' FOR UPDATE`;
    const used = await transaction.dataKey.findMany({ select: { id: true } });
    const numbers = used.map(({ id }) => Number(/^v(\d{1,9})$/.exec(id)?.[1] ?? 0));
    const id = `v${Math.max(0, ...numbers) + 1}`;
    const activeFrom = new Date(Date.now() + ACTIVE_AFTER_SECONDS * 1_000);
    await transaction.dataKey.createMany({ data: keys.map((key) => ({ ...key, id, activeFrom })) });
    await audit(transaction, person, 'sealing.rotate', [id]);
    return { id, activeFrom };
  });
}

/** Replaces the wrapping of keys, not the keys themselves. */
export async function updateWrapping(
  database: Database,
  keys: readonly Pick<WrappedKey, 'id' | 'purpose' | 'wrapped'>[],
  person: DoneBy,
): Promise<void> {
  await inTransaction(database, async (transaction) => {
    for (const { id, purpose, wrapped } of keys)
      await transaction.dataKey.update({ where: { purpose_id: { purpose, id } }, data: { wrapped } });
    await audit(transaction, person, 'sealing.rewrap', idsOf(keys));
  });
}

/**
 * Retires the sealing keys of an id permanently. The caller has checked that nothing is sealed with it. `false` if it
 * is not in use.
 */
export async function retireKey(transaction: Pick<Database, 'dataKey'>, id: string): Promise<boolean> {
  const { count } = await transaction.dataKey.updateMany({
    where: { id, purpose: { not: 'look_up' }, retiredAt: null },
    data: { retiredAt: new Date() },
  });
  return count > 0;
}

function idsOf(keys: readonly Pick<WrappedKey, 'id'>[]): string[] {
  return [...new Set(keys.map(({ id }) => id))];
}

function audit(transaction: Transaction, person: DoneBy, action: NamedAction, keys: readonly string[]): Promise<void> {
  return appendAudit(transaction, { person, action, operationId: null, subject: null, detail: { keys: [...keys] } });
}
