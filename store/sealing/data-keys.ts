// The rows of wrapped data keys. Every change is a person's action, with its entry in the audit trail. SQL only where a
// row is locked.
import { appendAudit } from '../audit/audit.js';
import type { Database } from '../database.js';
import { inTransaction, type Transaction } from '../transactions.js';
import { isUniqueViolation } from '../unique-violation.js';

/** How long before a new key seals: by then every process has read it and can open what is sealed with it. */
export const ACTIVE_AFTER_SECONDS = 120;

export interface WrappedKey {
  readonly id: string;
  readonly purpose: 'sealing' | 'hash';
  readonly wrapped: string;
  readonly activeFrom: Date;
}

/** Every key that is not retired. */
export async function readDataKeys(database: Database): Promise<WrappedKey[]> {
  const rows = await database.dataKey.findMany({
    where: { retiredAt: null },
    orderBy: [{ activeFrom: 'desc' }, { id: 'asc' }],
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
  person: string,
): Promise<boolean> {
  try {
    await inTransaction(database, async (transaction) => {
      await transaction.dataKey.createMany({ data: keys.map((key) => ({ ...key })) });
      await audit(
        transaction,
        person,
        'sealing.init',
        keys.map(({ id }) => id),
      );
    });
    return true;
  } catch (error) {
    if (isUniqueViolation(error)) return false;
    throw error;
  }
}

/** Stores another sealing key under the next free id (`v1`, `v2`, …). It becomes current after ACTIVE_AFTER_SECONDS. */
export async function insertNextKey(database: Database, wrapped: string, person: string): Promise<WrappedKey> {
  return inTransaction(database, async (transaction) => {
    await transaction.$queryRaw`SELECT 1 AS locked FROM data_key WHERE purpose = 'hash' FOR UPDATE`;
    const used = await transaction.dataKey.findMany({ select: { id: true } });
    const numbers = used.map(({ id }) => Number(/^v(\d{1,9})$/.exec(id)?.[1] ?? 0));
    const key: WrappedKey = {
      id: `v${Math.max(0, ...numbers) + 1}`,
      purpose: 'sealing',
      wrapped,
      activeFrom: new Date(Date.now() + ACTIVE_AFTER_SECONDS * 1_000),
    };
    await transaction.dataKey.create({ data: { ...key } });
    await audit(transaction, person, 'sealing.rotate', [key.id]);
    return key;
  });
}

/** Replaces the wrapping of keys, not the keys themselves. */
export async function updateWrapping(
  database: Database,
  keys: readonly { readonly id: string; readonly wrapped: string }[],
  person: string,
): Promise<void> {
  await inTransaction(database, async (transaction) => {
    for (const { id, wrapped } of keys) await transaction.dataKey.update({ where: { id }, data: { wrapped } });
    await audit(
      transaction,
      person,
      'sealing.rewrap',
      keys.map(({ id }) => id),
    );
  });
}

/**
 * Takes a sealing key out of use for good. The caller has checked that nothing is sealed with it. False if it is not in
 * use.
 */
export async function retireKey(transaction: Pick<Database, 'dataKey'>, id: string): Promise<boolean> {
  const { count } = await transaction.dataKey.updateMany({
    where: { id, purpose: 'sealing', retiredAt: null },
    data: { retiredAt: new Date() },
  });
  return count === 1;
}

function audit(transaction: Transaction, person: string, action: string, keys: readonly string[]): Promise<void> {
  return appendAudit(transaction, { person, action, operationId: null, subject: null, detail: { keys: [...keys] } });
}
