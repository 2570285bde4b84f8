// The members of the staff and their roles. Each change is one transaction with its audit entry.
import { createHash } from 'node:crypto';
import { foldedName } from '../../domain/people.js';
import { type DoneBy, EVERY_OPERATION, nameOf, type StaffRole } from '../../domain/staff.js';
import { appendAudit } from '../audit/audit.js';
import type { Database } from '../database.js';
import { inTransaction, type Transaction } from '../transactions.js';
import { removePasskeysOf } from './passkeys.js';
import { endSessionsOf, issueSignInCode, sessionsByPerson, type SignInCode } from './sessions.js';

export type PersonCreation =
  | ({ readonly kind: 'created' } & SignInCode)
  /** Somebody has this handle, or one that looks like it. */
  | { readonly kind: 'exists'; readonly handle: string }
  /** There is an admin already: they create the others. */
  | { readonly kind: 'admin_exists' };

/** Creates a person without roles. */
export function createPerson(database: Database, handle: string, by: DoneBy): Promise<PersonCreation> {
  return inChange(database, (transaction) => insertPerson(transaction, handle, by));
}

/** Creates the first admin, for the person who installs the gateway. Works only while there is none. */
export function createFirstAdmin(database: Database, handle: string): Promise<PersonCreation> {
  return inChange(database, async (transaction) => {
    if ((await adminsOf(transaction)).length > 0) return { kind: 'admin_exists' };
    const created = await insertPerson(transaction, handle, handle);
    if (created.kind === 'created') await insertRole(transaction, { handle, role: 'admin', operationId: null }, handle);
    return created;
  });
}

/** Makes a new sign-in code; `null` if there is no such person, or they are disabled. */
export function renewSignInCode(
  database: Database,
  handle: string,
  by: DoneBy,
  minutes?: number,
): Promise<SignInCode | null> {
  return inChange(database, async (transaction) => {
    if ((await transaction.staff.count({ where: { handle, disabledAt: null } })) === 0) return null;
    await audit(transaction, by, 'staff.sign_in_code', handle);
    return issueSignInCode(transaction, handle, nameOf(by), minutes);
  });
}

/**
 * Removes the person's passkeys, ends their sessions and returns a code for a new passkey, all in one transaction.
 * `null` if there is no such person, or they are disabled.
 */
export function renewPasskeys(
  database: Database,
  handle: string,
  by: DoneBy,
): Promise<({ readonly removed: number } & SignInCode) | null> {
  return inChange(database, async (transaction) => {
    if ((await transaction.staff.count({ where: { handle, disabledAt: null } })) === 0) return null;
    const removed = await removePasskeysOf(transaction, handle, by);
    await audit(transaction, by, 'staff.sign_in_code', handle);
    return { removed, ...(await issueSignInCode(transaction, handle, nameOf(by))) };
  });
}

export interface Grant {
  readonly handle: string;
  readonly role: StaffRole;
  /** `null` for every operation. */
  readonly operationId: string | null;
}

/** Gives a role, and ends the person's sessions. `null` if there is no such person, `false` if they have it already. */
export function grantRole(database: Database, grant: Grant, by: DoneBy): Promise<boolean | null> {
  return inChange(database, async (transaction) => {
    if ((await transaction.staff.count({ where: { handle: grant.handle } })) === 0) return null;
    return insertRole(transaction, grant, by);
  });
}

/**
 * Takes a role away and ends the person's sessions, because an open page may show what they may no longer see.
 * `last_admin` if no admin would be left.
 */
export function takeRole(database: Database, grant: Grant, by: DoneBy): Promise<boolean | 'last_admin'> {
  return inChange(database, async (transaction) => {
    const { handle, role, operationId } = grant;
    if (role === 'admin' && (await isLastAdmin(transaction, handle))) return 'last_admin';
    const { count } = await transaction.staffRole.deleteMany({
      where: { staffHandle: handle, role, operationId: operationId ?? EVERY_OPERATION },
    });
    if (count > 0) {
      await endSessionsOf(transaction, handle);
      await audit(transaction, by, 'staff.role_revoke', handle, { role }, operationId);
    }
    return count > 0;
  });
}

/** Disables a person and ends their sessions, at once. `null` if there is no such person. */
export function disablePerson(database: Database, handle: string, by: DoneBy): Promise<Date | 'last_admin' | null> {
  return inChange(database, async (transaction) => {
    if (await isLastAdmin(transaction, handle)) return 'last_admin';
    const at = new Date();
    const { count } = await transaction.staff.updateMany({
      where: { handle, disabledAt: null },
      data: { disabledAt: at },
    });
    await endSessionsOf(transaction, handle);
    if (count > 0) await audit(transaction, by, 'staff.disable', handle);
    return (await transaction.staff.findUnique({ where: { handle } }))?.disabledAt ?? null;
  });
}

/** Whom an identity provider signs in as a person. */
export interface OidcAccount {
  readonly issuer: string;
  /** The provider's name for them, which it gives to no one else. */
  readonly subject: string;
}

/**
 * Makes this account of the identity provider, and no other, sign the person in. `null` if there is no such person, or
 * they are disabled. `heldBy` is the person whose account it is already, which may be the same person.
 */
export function setOidcAccount(
  database: Database,
  handle: string,
  account: OidcAccount,
  by: DoneBy,
): Promise<'set' | { readonly heldBy: string } | null> {
  return inChange(database, async (transaction) => {
    const { issuer: oidcIssuer, subject: oidcSubject } = account;
    const holder = await transaction.staff.findUnique({
      where: { oidcIssuer_oidcSubject: { oidcIssuer, oidcSubject } },
    });
    if (holder !== null) return { heldBy: holder.handle };
    const data = { oidcIssuer, oidcSubject };
    const { count } = await transaction.staff.updateMany({ where: { handle, disabledAt: null }, data });
    if (count === 0) return null;
    await endSessionsOf(transaction, handle, ['oidc']);
    // An account may be named after its person, so the trail keeps only what proves which one it was.
    const subjectSha256 = createHash('sha256').update(oidcSubject).digest('hex');
    await audit(transaction, by, 'staff.oidc_set', handle, { issuer: oidcIssuer, subject_sha256: subjectSha256 });
    return 'set';
  });
}

/**
 * Removes the account that signs the person in, and ends its sessions. `null` if there is no such person, `false` if
 * they had none.
 */
export function removeOidcAccount(database: Database, handle: string, by: DoneBy): Promise<boolean | null> {
  return inChange(database, async (transaction) => {
    if ((await transaction.staff.count({ where: { handle } })) === 0) return null;
    const { count } = await transaction.staff.updateMany({
      where: { handle, oidcSubject: { not: null } },
      data: { oidcIssuer: null, oidcSubject: null },
    });
    await endSessionsOf(transaction, handle, ['oidc']);
    if (count > 0) await audit(transaction, by, 'staff.oidc_remove', handle);
    return count > 0;
  });
}

/** Everybody, by handle, with their roles. */
export async function listStaff(database: Database, take: number) {
  const people = await database.staff.findMany({ include: { roles: true }, orderBy: { handle: 'asc' }, take });
  return people.map(({ handle, createdAt, disabledAt, roles, oidcIssuer, oidcSubject }) => ({
    handle,
    roles: roles
      .map(({ role, operationId }) => (operationId === EVERY_OPERATION ? role : `${role}@${operationId}`))
      .sort(),
    oidc_issuer: oidcIssuer,
    oidc_subject: oidcSubject,
    created_at: createdAt,
    disabled_at: disabledAt,
  }));
}

/** Everybody, by handle, with their passkeys and sign-ins. */
export async function listPeople(database: Database, take: number) {
  const people = await database.staff.findMany({
    include: {
      roles: { orderBy: [{ role: 'asc' }, { operationId: 'asc' }] },
      _count: { select: { passkeys: { where: { removedAt: null } } } },
    },
    orderBy: { handle: 'asc' },
    take,
  });
  const sessions = await sessionsByPerson(
    database,
    people.map(({ handle }) => handle),
  );
  return people.map(({ handle, createdAt, disabledAt, roles, oidcSubject, _count: { passkeys } }) => ({
    handle,
    roles: roles.map(({ role, operationId }) => ({
      role: role as StaffRole,
      operationId: operationId === EVERY_OPERATION ? null : operationId,
    })),
    createdAt,
    disabledAt,
    passkeys,
    account: oidcSubject,
    sessions: sessions.get(handle)?.open ?? 0,
    lastSeenAt: sessions.get(handle)?.lastSeenAt ?? null,
  }));
}

/** Ends all sessions of the person. `null` if there is no such person. */
export function endSessionsByAdmin(database: Database, handle: string, by: DoneBy): Promise<number | null> {
  return inChange(database, async (transaction) => {
    if ((await transaction.staff.count({ where: { handle } })) === 0) return null;
    const ended = await endSessionsOf(transaction, handle);
    if (ended > 0) await audit(transaction, by, 'staff.sessions_end', handle, { ended });
    return ended;
  });
}

/** One change at a time, so that there is only one first admin, and the last admin stays. */
function inChange<Result>(database: Database, work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
  return inTransaction(database, async (transaction) => {
    await transaction.$executeRaw`LOCK TABLE staff_role IN SHARE ROW EXCLUSIVE MODE`;
    return work(transaction);
  });
}

async function insertPerson(transaction: Transaction, handle: string, by: DoneBy): Promise<PersonCreation> {
  const handleFolded = foldedName(handle);
  const known = await transaction.staff.findUnique({ where: { handleFolded } });
  if (known !== null) return { kind: 'exists', handle: known.handle };
  await transaction.staff.create({ data: { handle, handleFolded } });
  await audit(transaction, by, 'staff.create', handle);
  return { kind: 'created', ...(await issueSignInCode(transaction, handle, nameOf(by))) };
}

async function insertRole(
  transaction: Transaction,
  { handle, role, operationId }: Grant,
  by: DoneBy,
): Promise<boolean> {
  const { count } = await transaction.staffRole.createMany({
    data: [{ staffHandle: handle, role, operationId: operationId ?? EVERY_OPERATION, grantedBy: nameOf(by) }],
    skipDuplicates: true,
  });
  if (count > 0) {
    await endSessionsOf(transaction, handle);
    await audit(transaction, by, 'staff.role_grant', handle, { role }, operationId);
  }
  return count > 0;
}

async function adminsOf(transaction: Transaction): Promise<string[]> {
  const admins = await transaction.staffRole.findMany({ where: { role: 'admin', staff: { disabledAt: null } } });
  return admins.map(({ staffHandle }) => staffHandle);
}

async function isLastAdmin(transaction: Transaction, handle: string): Promise<boolean> {
  const admins = await adminsOf(transaction);
  return admins.length === 1 && admins[0] === handle;
}

async function audit(
  transaction: Transaction,
  person: DoneBy,
  action: `staff.${string}`,
  subject: string,
  detail = {},
  operationId: string | null = null,
): Promise<void> {
  await appendAudit(transaction, { person, action, operationId, subject, detail });
}
