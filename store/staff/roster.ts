// The members of the staff and their roles. Each change is one transaction with its audit entry.
import type { NamedAction } from '../../domain/audit-actions.js';
import { createHash } from 'node:crypto';
import { foldedName } from '../../domain/people.js';
import {
  type CodePurpose,
  type DoneBy,
  EVERY_OPERATION,
  FIRST_CODE_MINUTES,
  INSTALLATION,
  nameOf,
  type StaffRole,
} from '../../domain/staff.js';
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

/** Who does it, who asked for it, and what the code that they give is good for. */
export interface Giving {
  readonly by: DoneBy;
  /** Whom the new person or role is close to, as long as it is new (people_close_to). */
  readonly askedBy: string;
  readonly purpose: CodePurpose;
}

/** Creates a person without roles, for a sandbox. */
export function createPerson(database: Database, handle: string, by: DoneBy): Promise<PersonCreation> {
  return changeRoster(database, (transaction) => insertPerson(transaction, handle, givingOf(by)));
}

function givingOf(by: DoneBy): Giving {
  return { by, askedBy: nameOf(by), purpose: 'sign_in' };
}

/** The first people, whom nobody could ask for. */
export type FirstAdmins =
  | { readonly kind: 'created'; readonly people: readonly ({ readonly handle: string } & SignInCode)[] }
  | Exclude<PersonCreation, { kind: 'created' }>;

/**
 * Creates the first admins, for whoever installs the gateway: in production two, because one alone can give nothing to
 * anybody. Once: it is refused as soon as anybody is or was an admin.
 */
export function createFirstAdmins(
  database: Database,
  handles: readonly string[],
  purpose: CodePurpose,
): Promise<FirstAdmins> {
  const giving = { by: INSTALLATION, askedBy: INSTALLATION, purpose };
  return changeRoster(database, async (transaction) => {
    if ((await transaction.staffRole.count({ where: { role: 'admin' } })) > 0) return { kind: 'admin_exists' };
    const people = [];
    for (const handle of handles) {
      const created = await insertPerson(transaction, handle, giving, FIRST_CODE_MINUTES);
      if (created.kind !== 'created') return created;
      const grant = { handle, role: 'admin', operationId: null } as const;
      if (await addRole(transaction, grant, giving)) await auditGrant(transaction, grant, giving);
      people.push({ handle, code: created.code, expiresAt: created.expiresAt });
    }
    return { kind: 'created', people };
  });
}

/** Makes a new sign-in code; `null` if there is no such person, or they are disabled. */
export function renewSignInCode(
  database: Database,
  handle: string,
  by: DoneBy,
  minutes?: number,
): Promise<SignInCode | null> {
  return changeRoster(database, async (transaction) =>
    (await isThere(transaction, handle)) ? giveCode(transaction, handle, givingOf(by), minutes) : null,
  );
}

/** A new code for a person who is there and not disabled. */
export async function giveCode(
  transaction: Transaction,
  handle: string,
  { by, purpose }: Giving,
  minutes?: number,
): Promise<SignInCode> {
  await audit(transaction, by, 'staff.sign_in_code', handle);
  const lasting = minutes === undefined ? {} : { minutes };
  return issueSignInCode(transaction, { handle, by: nameOf(by), purpose, ...lasting });
}

/** Removes the person's passkeys, ends their sessions and returns a code for a new passkey. */
export async function renewPasskeys(
  transaction: Transaction,
  handle: string,
  giving: Giving,
): Promise<{ readonly removed: number } & SignInCode> {
  const removed = await removePasskeysOf(transaction, handle, giving.by);
  return { removed, ...(await giveCode(transaction, handle, giving)) };
}

/** Whether the person is there, and not disabled. */
export async function isThere(transaction: Transaction, handle: string): Promise<boolean> {
  return (await transaction.staff.count({ where: { handle, disabledAt: null } })) > 0;
}

/** Enables a disabled person again. They keep roles and passkeys. */
export async function enablePerson(transaction: Transaction, handle: string, by: DoneBy): Promise<void> {
  await transaction.$queryRaw`SELECT enable_person(${handle})`;
  await audit(transaction, by, 'staff.enable', handle);
}

export interface Grant {
  readonly handle: string;
  readonly role: StaffRole;
  /** `null` for every operation. */
  readonly operationId: string | null;
}

/** Gives a role, and ends the person's sessions. `null` if there is no such person, `false` if they have it already. */
export function grantRole(database: Database, grant: Grant, by: DoneBy): Promise<boolean | null> {
  return changeRoster(database, async (transaction) => {
    if ((await roleOf(transaction, grant)) === null) return null;
    return insertRole(transaction, grant, givingOf(by));
  });
}

/** Whether the person holds exactly this role; `null` if there is no such person. */
export async function roleOf(transaction: Transaction, { handle, role, operationId }: Grant): Promise<boolean | null> {
  const person = await transaction.staff.findUnique({
    where: { handle },
    select: { roles: { where: { role, operationId: operationId ?? EVERY_OPERATION } } },
  });
  return person === null ? null : person.roles.length > 0;
}

/**
 * Takes a role away and ends the person's sessions, because an open page may show what they may no longer see.
 * `last_admin` if no admin would be left.
 */
export function takeRole(database: Database, grant: Grant, by: DoneBy): Promise<boolean | 'last_admin'> {
  return changeRoster(database, async (transaction) => {
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
  return changeRoster(database, async (transaction) => {
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

/** Makes this account of the identity provider, which is nobody's, and no other, sign the person in. */
export async function setOidcAccount(
  transaction: Transaction,
  handle: string,
  account: OidcAccount,
  by: DoneBy,
): Promise<void> {
  const data = { oidcIssuer: account.issuer, oidcSubject: account.subject };
  await transaction.staff.update({ where: { handle }, data });
  await endSessionsOf(transaction, handle, ['oidc']);
  const { issuer, subject_sha256 } = provenAccount(account);
  await audit(transaction, by, 'staff.oidc_set', handle, { issuer, subject_sha256 });
}

/** Whose account it is; `null` if it is nobody's. */
export async function holderOfAccount(
  database: Pick<Database, 'staff'>,
  { issuer: oidcIssuer, subject: oidcSubject }: OidcAccount,
): Promise<string | null> {
  const where = { oidcIssuer_oidcSubject: { oidcIssuer, oidcSubject } };
  return (await database.staff.findUnique({ where }))?.handle ?? null;
}

/** An account may be named after its person, so requests and the trail keep only what proves which one it was. */
export function provenAccount({ issuer, subject }: OidcAccount) {
  return { issuer, subject_sha256: createHash('sha256').update(subject).digest('hex') };
}

/**
 * Removes the account that signs the person in, and ends its sessions. `null` if there is no such person, `false` if
 * they had none.
 */
export function removeOidcAccount(database: Database, handle: string, by: DoneBy): Promise<boolean | null> {
  return changeRoster(database, async (transaction) => {
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
  return changeRoster(database, async (transaction) => {
    if ((await transaction.staff.count({ where: { handle } })) === 0) return null;
    const ended = await endSessionsOf(transaction, handle);
    if (ended > 0) await audit(transaction, by, 'staff.sessions_end', handle, { ended });
    return ended;
  });
}

/** One change at a time, so that there is only one first admin, and the last admin stays. */
export function changeRoster<Result>(
  database: Database,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  return inTransaction(database, async (transaction) => {
    await transaction.$executeRaw`LOCK TABLE staff_role IN SHARE ROW EXCLUSIVE MODE`;
    return work(transaction);
  });
}

/** Creates a person without roles, with a code. */
export async function insertPerson(
  transaction: Transaction,
  handle: string,
  { by, askedBy, purpose }: Giving,
  minutes?: number,
): Promise<Exclude<PersonCreation, { kind: 'admin_exists' }>> {
  const known = await personLike(transaction, handle);
  if (known !== null) return { kind: 'exists', handle: known };
  await transaction.staff.create({ data: { handle, handleFolded: foldedName(handle), createdBy: askedBy } });
  await audit(transaction, by, 'staff.create', handle);
  const lasting = minutes === undefined ? {} : { minutes };
  return { kind: 'created', ...(await issueSignInCode(transaction, { handle, by: nameOf(by), purpose, ...lasting })) };
}

/** The handle of whoever has this name, however it is spelt; `null` if nobody has. */
export async function personLike(transaction: Transaction, handle: string): Promise<string | null> {
  const known = await transaction.staff.findUnique({ where: { handleFolded: foldedName(handle) } });
  return known?.handle ?? null;
}

/** Gives a role and ends the person's sessions. `false` if they have it already. */
export async function insertRole(transaction: Transaction, grant: Grant, giving: Giving): Promise<boolean> {
  if (!(await addRole(transaction, grant, giving))) return false;
  await endSessionsOf(transaction, grant.handle);
  await auditGrant(transaction, grant, giving);
  return true;
}

async function addRole(
  transaction: Transaction,
  { handle, role, operationId }: Grant,
  { askedBy }: Giving,
): Promise<boolean> {
  const { count } = await transaction.staffRole.createMany({
    data: [{ staffHandle: handle, role, operationId: operationId ?? EVERY_OPERATION, grantedBy: askedBy }],
    skipDuplicates: true,
  });
  return count > 0;
}

function auditGrant(transaction: Transaction, { handle, role, operationId }: Grant, { by }: Giving): Promise<void> {
  return audit(transaction, by, 'staff.role_grant', handle, { role }, operationId);
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
  action: NamedAction,
  subject: string,
  detail = {},
  operationId: string | null = null,
): Promise<void> {
  await appendAudit(transaction, { person, action, operationId, subject, detail });
}
