// The passkeys of staff. SQL only where a row must be the one that was read.
import { type DoneBy, nameOf } from '../../domain/staff.js';
import { appendAudit } from '../audit/audit.js';
import type { Database } from '../database.js';
import { inTransaction, type Transaction } from '../transactions.js';
import { endSessionsOf } from './sessions.js';

export interface Passkey {
  /** The credential's id, base64url. */
  readonly id: string;
  readonly handle: string;
  readonly name: string;
  /** COSE. */
  readonly publicKey: Uint8Array<ArrayBuffer>;
  readonly counter: number;
  readonly transports: readonly string[];
  readonly isSynced: boolean;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

export type NewPasskey = Omit<Passkey, 'createdAt' | 'lastUsedAt'>;

/** Enough for a person's devices and a spare. */
const MOST_PASSKEYS = 10;

/** Those that were not removed, oldest first. */
export async function passkeysOf(database: Pick<Database, 'staffPasskey'>, handle: string): Promise<Passkey[]> {
  const rows = await database.staffPasskey.findMany({
    where: { staffHandle: handle, removedAt: null },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    take: MOST_PASSKEYS,
  });
  return rows.map(passkeyOf);
}

/** The passkey of a person who is not disabled; `null` if there is none, or it was removed. */
export async function passkeyById(database: Pick<Database, 'staffPasskey'>, id: string): Promise<Passkey | null> {
  const row = await database.staffPasskey.findFirst({
    where: { id, removedAt: null, staff: { disabledAt: null } },
  });
  return row === null ? null : passkeyOf(row);
}

/** `false` if the credential exists already, or the person has the maximum number. */
export async function insertPasskey(transaction: Transaction, passkey: NewPasskey): Promise<boolean> {
  const { handle: staffHandle, counter, transports, ...rest } = passkey;
  const held = await transaction.staffPasskey.count({ where: { staffHandle, removedAt: null } });
  if (held >= MOST_PASSKEYS) return false;
  const { count } = await transaction.staffPasskey.createMany({
    data: [{ ...rest, staffHandle, counter: BigInt(counter), transports: [...transports] }],
    skipDuplicates: true,
  });
  if (count === 0) return false;
  const detail = { name: passkey.name };
  await appendAudit(transaction, {
    person: staffHandle,
    action: 'staff.passkey_add',
    operationId: null,
    subject: passkey.id,
    detail,
  });
  return true;
}

/**
 * Records a signature. `false` if the passkey was removed in the meantime, or its counter went back, which suggests a
 * copy of it. Authenticators without a counter always report 0.
 */
export async function notePasskeyUse(
  database: Pick<Database | Transaction, '$executeRaw'>,
  id: string,
  counter: number,
): Promise<boolean> {
  const noted = await database.$executeRaw`
    UPDATE staff_passkey SET counter = ${BigInt(counter)}, last_used_at = now()
    WHERE id = ${id} AND removed_at IS NULL AND (counter < ${BigInt(counter)} OR (counter = 0 AND ${counter} = 0))`;
  return noted === 1;
}

/** Removes one of a person's passkeys. False: they have no such passkey, or it is their last one and must stay. */
export async function removePasskey(
  database: Database,
  { id, handle, isLastKept }: { readonly id: string; readonly handle: string; readonly isLastKept: boolean },
): Promise<'removed' | 'unknown' | 'last'> {
  return inTransaction(database, async (transaction) => {
    // One removal at a time, because two at once could remove the last two.
    await transaction.$queryRaw`SELECT 1 AS locked FROM staff_passkey WHERE staff_handle = ${handle} FOR UPDATE`;
    const held = await passkeysOf(transaction, handle);
    if (!held.some((passkey) => passkey.id === id)) return 'unknown';
    if (isLastKept && held.length === 1) return 'last';
    await removeRows(transaction, [id], handle);
    await appendAudit(transaction, {
      person: handle,
      action: 'staff.passkey_remove',
      operationId: null,
      subject: id,
      detail: { of: handle },
    });
    return 'removed';
  });
}

/** Removes all of a person's passkeys and ends their sessions: a device was lost. @returns how many there were */
export async function removePasskeysOf(transaction: Transaction, handle: string, by: DoneBy): Promise<number> {
  const held = await passkeysOf(transaction, handle);
  await removeRows(
    transaction,
    held.map(({ id }) => id),
    nameOf(by),
  );
  await endSessionsOf(transaction, handle);
  for (const { id } of held)
    await appendAudit(transaction, {
      person: by,
      action: 'staff.passkey_remove',
      operationId: null,
      subject: id,
      detail: { of: handle },
    });
  return held.length;
}

async function removeRows(transaction: Transaction, ids: readonly string[], by: string): Promise<void> {
  await transaction.staffPasskey.updateMany({
    where: { id: { in: [...ids] }, removedAt: null },
    data: { removedAt: new Date(), removedBy: by },
  });
}

type Row = Awaited<ReturnType<Database['staffPasskey']['findMany']>>[number];

function passkeyOf({ staffHandle: handle, counter, publicKey, transports, ...row }: Row): Passkey {
  const { id, name, isSynced, createdAt, lastUsedAt } = row;
  return {
    id,
    handle,
    name,
    publicKey: Uint8Array.from(publicKey),
    counter: Number(counter),
    transports,
    isSynced,
    createdAt,
    lastUsedAt,
  };
}
