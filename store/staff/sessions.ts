// Sessions of staff, and the codes that begin them. Only hashes are stored. SQL, because a code begins one session and
// a session ends by the database's clock.
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import {
  BREAK_GLASS_MINUTES,
  type CodePurpose,
  EVERY_OPERATION,
  type HeldRole,
  SESSION_LIMITS,
  SIGN_IN_CODE_MINUTES,
  type StaffMeans,
} from '../../domain/staff.js';
import { Prisma } from '../../prisma/generated/client.js';
import { appendAudit } from '../audit/audit.js';
import type { Database } from '../database.js';
import { rowOf, rowsOf } from '../statements.js';
import { inTransaction, type Transaction } from '../transactions.js';
import type { Actor } from './acts.js';

const TOKEN_BYTES = 32;

const IDLE = Prisma.sql`make_interval(mins => ${SESSION_LIMITS.idleMinutes}::int)`;
const BROKEN_GLASS = Prisma.sql`make_interval(mins => ${BREAK_GLASS_MINUTES}::int)`;
const LONGEST = Prisma.sql`make_interval(hours => ${SESSION_LIMITS.hours}::int)`;
/** A condition of a statement with `session`: it has not ended. */
const LASTS = Prisma.sql`
  session.revoked_at IS NULL AND session.last_seen_at > now() - ${IDLE} AND session.created_at > now() - ${LONGEST}
  AND (session.means <> 'break_glass' OR session.created_at > now() - ${BROKEN_GLASS})`;

export interface SignInCode {
  /** Shown once, to the admin who passes it to the person. */
  readonly code: string;
  readonly expiresAt: Date;
}

export interface NewCode {
  readonly handle: string;
  /** Who gives it. */
  readonly by: string;
  readonly purpose: CodePurpose;
  readonly minutes?: number;
}

/** A new code for the person. Codes that were given before are void. */
export async function issueSignInCode(
  transaction: Transaction,
  { handle, by, purpose, minutes = SIGN_IN_CODE_MINUTES }: NewCode,
): Promise<SignInCode> {
  // A command line takes what begins with a hyphen for an option.
  const code = `code_${randomBytes(TOKEN_BYTES).toString('base64url')}`;
  const expiresAt = new Date(Date.now() + minutes * 60_000);
  await transaction.staffSignInLink.deleteMany({ where: { staffHandle: handle, usedAt: null } });
  await transaction.staffSignInLink.create({
    data: { tokenHash: hashOf(code), staffHandle: handle, createdBy: by, purpose, expiresAt },
  });
  return { code, expiresAt };
}

export interface NewSession {
  readonly handle: string;
  /** The person's proof from now on. */
  readonly token: string;
}

/**
 * Begins a session with a code for one of these purposes. `null`: the code is unknown, used or too old, or its person
 * is disabled.
 */
export async function beginSession(
  database: Database,
  code: string,
  means: StaffMeans,
  purposes: readonly CodePurpose[],
): Promise<NewSession | null> {
  return inTransaction(database, async (transaction) => {
    const used = await useSignInCode(transaction, code, purposes);
    return used === null ? null : startSession(transaction, used.handle, means);
  });
}

/** Whose code it was, and who gave it. */
interface UsedCode {
  readonly handle: string;
  readonly issuedBy: string;
}

/** Uses a code up; `null` if it is unknown, used or too old, or its person is disabled. */
export async function useSignInCode(
  transaction: Transaction,
  code: string,
  purposes: readonly CodePurpose[],
): Promise<UsedCode | null> {
  const [used] = await transaction.$queryRaw<UsedCode[]>`
    UPDATE staff_sign_in_link AS link SET used_at = now()
    FROM staff
    WHERE link.token_hash = ${hashOf(code)} AND link.used_at IS NULL AND link.expires_at > now()
      AND link.purpose = ANY(${[...purposes]}::text[])
      AND staff.handle = link.staff_handle AND staff.disabled_at IS NULL
    RETURNING link.staff_handle AS handle, link.created_by AS "issuedBy"`;
  return used ?? null;
}

/** Whose code it is, which stays good. Null as for its use. */
export async function personOfCode(
  database: Database,
  code: string,
  purposes: readonly CodePurpose[] = ['sign_in', 'enrolment'],
): Promise<string | null> {
  const [found] = await database.$queryRaw<{ handle: string }[]>`
    SELECT link.staff_handle AS handle
    FROM staff_sign_in_link AS link JOIN staff ON staff.handle = link.staff_handle AND staff.disabled_at IS NULL
    WHERE link.token_hash = ${hashOf(code)} AND link.used_at IS NULL AND link.expires_at > now()
      AND link.purpose = ANY(${[...purposes]}::text[])`;
  return found?.handle ?? null;
}

/** The token that proves a session, and its stored hash. */
export function newToken(): { readonly token: string; readonly tokenHash: Uint8Array<ArrayBuffer> } {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return { token, tokenHash: hashOf(token) };
}

/** Begins a session of an authenticated person. */
export async function startSession(transaction: Transaction, handle: string, means: StaffMeans): Promise<NewSession> {
  const [id, { token, tokenHash }] = [`ses_${randomUUID()}`, newToken()];
  await transaction.staffSession.create({ data: { id, tokenHash, staffHandle: handle, means } });
  await appendAudit(transaction, {
    person: handle,
    action: 'staff.sign_in',
    operationId: null,
    subject: id,
    detail: { means },
  });
  return { handle, token };
}

/**
 * Begins a session of the person with this account of the identity provider. `null` if no one has it, or they are
 * disabled.
 */
export async function beginOidcSession(
  database: Database,
  issuer: string,
  subject: string,
): Promise<NewSession | null> {
  return inTransaction(database, async (transaction) => {
    const person = await transaction.staff.findUnique({
      where: { oidcIssuer_oidcSubject: { oidcIssuer: issuer, oidcSubject: subject }, disabledAt: null },
    });
    return person === null ? null : startSession(transaction, person.handle, 'oidc');
  });
}

/** The person of the token's session, which counts as used now. `null` if there is no such session, or it has ended. */
export async function actorOfSession(database: Database, token: string): Promise<Actor | null> {
  const [actor] = await database.$queryRaw<Actor[]>`
    UPDATE staff_session AS session SET last_seen_at = now()
    FROM staff
    WHERE session.token_hash = ${hashOf(token)} AND ${LASTS}
      AND staff.handle = session.staff_handle AND staff.disabled_at IS NULL
    RETURNING session.staff_handle AS handle, session.means, session.id AS "sessionId"`;
  return actor ?? null;
}

/** A session as the panel sees it during a request. */
export interface StaffSession extends Actor {
  readonly sessionId: string;
  readonly roles: readonly HeldRole[];
  readonly hasPasskey: boolean;
  /** RFC 3339. */
  readonly idleUntil: string;
  readonly endsAt: string;
}

/**
 * The session of the token and what its person may do now, in one statement. `null` when there is no such session, it
 * has ended, or it began by other means than these.
 * @param isUsed whether a person made the request. A page's automatic requests check the session and do not extend it.
 * Its use is written once a minute, because pages send many requests
 */
export async function sessionOf(
  database: Database,
  token: string,
  means: readonly StaffMeans[],
  isUsed: boolean,
): Promise<StaffSession | null> {
  return rowOf<StaffSession>(
    database,
    Prisma.sql`
      WITH session AS (
        SELECT session.* FROM staff_session AS session
        JOIN staff ON staff.handle = session.staff_handle AND staff.disabled_at IS NULL
        WHERE session.token_hash = ${Buffer.from(hashOf(token))} AND session.means = ANY(${[...means]}::text[])
          AND ${LASTS}
      ), used AS (
        UPDATE staff_session SET last_seen_at = now() FROM session
        WHERE staff_session.id = session.id AND session.last_seen_at < now() - interval '1 minute' AND ${isUsed}
      )
      SELECT staff_handle AS handle, means, id AS "sessionId",
        date_trunc('milliseconds', CASE WHEN ${isUsed} THEN now() ELSE last_seen_at END + ${IDLE}) AS "idleUntil",
        created_at + ${LONGEST} AS "endsAt",
        coalesce((
          SELECT jsonb_agg(jsonb_build_object('role', role, 'operationId', nullif(operation_id, ${EVERY_OPERATION}))
            ORDER BY role, operation_id)
          FROM staff_role WHERE staff_role.staff_handle = session.staff_handle
        ), '[]') AS roles,
        EXISTS (
          SELECT FROM staff_passkey WHERE staff_passkey.staff_handle = session.staff_handle AND removed_at IS NULL
        ) AS "hasPasskey"
      FROM session`,
  );
}

/** Which of these sessions have not ended, with what their people may do now. Does not count as use. */
export async function liveSessions(
  database: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly HeldRole[]>> {
  const rows = await rowsOf<{ id: string; roles: HeldRole[] }>(
    database,
    Prisma.sql`
      SELECT session.id, coalesce((
          SELECT jsonb_agg(jsonb_build_object('role', role, 'operationId', nullif(operation_id, ${EVERY_OPERATION})))
          FROM staff_role WHERE staff_role.staff_handle = session.staff_handle
        ), '[]') AS roles
      FROM staff_session AS session
      JOIN staff ON staff.handle = session.staff_handle AND staff.disabled_at IS NULL
      WHERE session.id = ANY(${[...ids]}::text[]) AND ${LASTS}`,
  );
  return new Map(rows.map(({ id, roles }) => [id, roles]));
}

/** Ends the person's sessions, wherever they are signed in: all, or those that began by these means. @returns how many */
export async function endSessionsOf(
  transaction: Transaction,
  handle: string,
  means?: readonly StaffMeans[],
): Promise<number> {
  const { count } = await transaction.staffSession.updateMany({
    where: { staffHandle: handle, revokedAt: null, ...(means === undefined ? {} : { means: { in: [...means] } }) },
    data: { revokedAt: new Date() },
  });
  return count;
}

/** How many sessions of each person have not ended, and when the person was last seen. */
export async function sessionsByPerson(
  database: Database,
  handles: readonly string[],
): Promise<ReadonlyMap<string, { readonly open: number; readonly lastSeenAt: string }>> {
  const rows = await rowsOf<{ handle: string; open: number; lastSeenAt: string }>(
    database,
    Prisma.sql`
      SELECT staff_handle AS handle, count(*) FILTER (WHERE ${LASTS})::int AS open,
        max(last_seen_at) AS "lastSeenAt"
      FROM staff_session AS session WHERE staff_handle = ANY(${[...handles]}::text[]) GROUP BY staff_handle`,
  );
  return new Map(rows.map(({ handle, ...seen }) => [handle, seen]));
}

/** A session that has not ended, as its person sees it. */
export interface OpenSession {
  readonly id: string;
  readonly means: StaffMeans;
  readonly createdAt: string;
  readonly lastSeenAt: string;
}

/** The person's sessions that have not ended, newest first. */
export function openSessionsOf(database: Database, handle: string): Promise<OpenSession[]> {
  return rowsOf<OpenSession>(
    database,
    Prisma.sql`
      SELECT id, means, created_at AS "createdAt", last_seen_at AS "lastSeenAt" FROM staff_session AS session
      WHERE staff_handle = ${handle} AND ${LASTS} ORDER BY created_at DESC, id LIMIT 100`,
  );
}

/** Ends one of the person's sessions. `false`: it has ended, or is not theirs. */
export async function endSession(database: Database, handle: string, sessionId: string): Promise<boolean> {
  return inTransaction(database, async (transaction) => {
    const { count } = await transaction.staffSession.updateMany({
      where: { id: sessionId, staffHandle: handle, revokedAt: null },
      data: { revokedAt: new Date() },
    });
    if (count === 0) return false;
    await appendAudit(transaction, { person: handle, action: 'staff.sign_out', operationId: null, subject: sessionId });
    return true;
  });
}

function hashOf(token: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(createHash('sha256').update(token).digest());
}
