// The passkeys of staff. SQL only where a row must be the one that was read.
import { isSamePerson } from '../../domain/people.js';
import { fingerprintOf, markOfPasskey } from '../../domain/signed-act.js';
import { type DoneBy, nameOf } from '../../domain/staff.js';
import { appendAudit } from '../audit/audit.js';
import type { Database } from '../database.js';
import { insertRequest, rejectPending } from '../operations/approval-requests.js';
import { inTransaction, type Transaction } from '../transactions.js';
import { type Actor, storeOwnAct } from './acts.js';
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
  /** Who gave the code that it was made with; `null` if its person signed for it with another one. */
  readonly issuedBy: string | null;
  /** From when it signs acts; `null`: it waits for a second person, and signs nobody in. */
  readonly signsFrom: Date | null;
}

/** When it signs is the database's decision (keep_passkey). */
export type NewPasskey = Omit<Passkey, 'createdAt' | 'lastUsedAt' | 'signsFrom'>;

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

/**
 * Stores a passkey. One that does not sign yet asks for a second person, who may confirm it. `null` if the credential
 * exists already, or the person has the maximum number.
 */
export async function insertPasskey(
  transaction: Transaction,
  passkey: NewPasskey,
  by: DoneBy = passkey.handle,
): Promise<Passkey | null> {
  const { handle: staffHandle, counter, transports, ...rest } = passkey;
  const held = await transaction.staffPasskey.count({ where: { staffHandle, removedAt: null } });
  if (held >= MOST_PASSKEYS) return null;
  const { count } = await transaction.staffPasskey.createMany({
    data: [{ ...rest, staffHandle, counter: BigInt(counter), transports: [...transports] }],
    skipDuplicates: true,
  });
  if (count === 0) return null;
  const row = await transaction.staffPasskey.findUniqueOrThrow({ where: { id: passkey.id } });
  const [stored, isWaiting] = [passkeyOf(row), row.signsFrom === null || row.signsFrom > row.createdAt];
  const request = isWaiting ? await insertRequest(transaction, confirmationOf(stored)) : null;
  await appendAudit(transaction, {
    person: by,
    action: 'staff.passkey_add',
    operationId: null,
    subject: passkey.id,
    detail: { name: passkey.name, ...(request === null ? {} : { request: request.id }) },
  });
  return stored;
}

/** The request that a second person confirms the passkey, by its fingerprint. */
function confirmationOf({ handle, name, publicKey }: Passkey) {
  const payload = { person: handle, device: name, fingerprint: fingerprintOf(publicKey) };
  return { operationId: null, kind: 'passkey', payload, requestedBy: handle } as const;
}

/** What the confirmation of a passkey did. */
export type PasskeyConfirmed =
  | { readonly kind: 'done' }
  /** It was removed, or confirmed before. */
  | { readonly kind: 'no_such_passkey' }
  /** The second person gave the code, or created the person. */
  | { readonly kind: 'own_code' };

/** From now on the person's passkey with this fingerprint signs. The database checks both people again. */
export async function confirmPasskey(
  transaction: Transaction,
  { person, fingerprint }: { readonly person: string; readonly fingerprint: string },
  by: string,
): Promise<PasskeyConfirmed> {
  const held = await passkeysOf(transaction, person);
  const passkey = held.find(({ publicKey }) => fingerprintOf(publicKey) === fingerprint);
  if (passkey === undefined) return { kind: 'no_such_passkey' };
  const { createdBy } = await transaction.staff.findUniqueOrThrow({ where: { handle: person } });
  if ([passkey.issuedBy, createdBy].some((other) => other !== null && isSamePerson(other, by)))
    return { kind: 'own_code' };
  const { count } = await transaction.staffPasskey.updateMany({
    where: { id: passkey.id, removedAt: null, confirmedBy: null },
    data: { confirmedBy: by },
  });
  return { kind: count === 1 ? 'done' : 'no_such_passkey' };
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

/**
 * Removes one of a person's passkeys and ends all their sessions, which may have begun with it. Nothing is removed if
 * they have no such passkey, or it is their last one and must stay.
 */
export async function removePasskey(
  database: Database,
  {
    id,
    actor,
    isLastKept,
  }: {
    readonly id: string;
    /** Its person, who has signed it. */
    readonly actor: Actor;
    readonly isLastKept: boolean;
  },
): Promise<'removed' | 'unknown' | 'last'> {
  const { handle } = actor;
  return inTransaction(database, async (transaction) => {
    // One removal at a time, because two at once could remove the last two.
    await transaction.$queryRaw`SELECT 1 AS locked FROM staff_passkey WHERE staff_handle = ${handle} FOR UPDATE`;
    const held = await passkeysOf(transaction, handle);
    if (!held.some((passkey) => passkey.id === id)) return 'unknown';
    if (isLastKept && held.length === 1) return 'last';
    const subjectId = markOfPasskey(id);
    // First: without it no role removes a passkey in production.
    const person = await storeOwnAct(transaction, { actor, kind: 'passkey.remove', subjectId, reason: '' });
    const removed = held.filter((passkey) => passkey.id === id);
    await removeRows(transaction, removed, handle);
    await endSessionsOf(transaction, handle);
    const entry = { action: 'staff.passkey_remove', operationId: null, subject: id } as const;
    await appendAudit(transaction, { ...entry, person, detail: { of: handle } });
    return 'removed';
  });
}

/** Removes all of a person's passkeys and ends their sessions: a device was lost. @returns how many there were */
export async function removePasskeysOf(transaction: Transaction, handle: string, by: DoneBy): Promise<number> {
  const held = await passkeysOf(transaction, handle);
  await removeRows(transaction, held, nameOf(by));
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

/** Nobody is asked any more to confirm what is gone. */
async function removeRows(transaction: Transaction, held: readonly Passkey[], by: string): Promise<void> {
  await transaction.staffPasskey.updateMany({
    where: { id: { in: held.map(({ id }) => id) }, removedAt: null },
    data: { removedAt: new Date(), removedBy: by },
  });
  for (const passkey of held) {
    const { operationId, kind, payload } = confirmationOf(passkey);
    await rejectPending(transaction, { operationId, kind, payload, person: by });
  }
}

type Row = Awaited<ReturnType<Database['staffPasskey']['findMany']>>[number];

function passkeyOf({ staffHandle: handle, counter, publicKey, transports, ...row }: Row): Passkey {
  const { id, name, isSynced, createdAt, lastUsedAt, issuedBy, signsFrom } = row;
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
    issuedBy,
    signsFrom,
  };
}
