// Sessions of staff, and the codes that begin them. Only hashes are stored. SQL, because a code begins one session and
// a session ends by the database's clock.
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { SESSION_LIMITS, SIGN_IN_CODE_MINUTES, type StaffMeans } from '../../domain/staff.js';
import { appendAudit } from '../audit/audit.js';
import type { Database } from '../database.js';
import { inTransaction, type Transaction } from '../transactions.js';
import type { Actor } from './acts.js';

const TOKEN_BYTES = 32;

export interface SignInCode {
  /** Shown once, to whoever hands it to the person. */
  readonly code: string;
  readonly expiresAt: Date;
}

/** A new code for the person. Codes that were given before are void. */
export async function issueSignInCode(transaction: Transaction, handle: string, by: string): Promise<SignInCode> {
  // A command line takes what begins with a hyphen for an option.
  const code = `code_${randomBytes(TOKEN_BYTES).toString('base64url')}`;
  const expiresAt = new Date(Date.now() + SIGN_IN_CODE_MINUTES * 60_000);
  await transaction.staffSignInLink.deleteMany({ where: { staffHandle: handle, usedAt: null } });
  await transaction.staffSignInLink.create({
    data: { tokenHash: hashOf(code), staffHandle: handle, createdBy: by, expiresAt },
  });
  return { code, expiresAt };
}

export interface NewSession {
  readonly handle: string;
  /** The person's proof from now on. */
  readonly token: string;
}

/** Begins a session with a code. Null: the code is unknown, used or too old, or its person is disabled. */
export async function beginSession(database: Database, code: string): Promise<NewSession | null> {
  const [id, token, means] = [`ses_${randomUUID()}`, randomBytes(TOKEN_BYTES).toString('base64url'), MEANS];
  return inTransaction(database, async (transaction) => {
    const [begun] = await transaction.$queryRaw<{ handle: string }[]>`
      WITH used AS (
        UPDATE staff_sign_in_link AS link SET used_at = now()
        FROM staff
        WHERE link.token_hash = ${hashOf(code)} AND link.used_at IS NULL AND link.expires_at > now()
          AND staff.handle = link.staff_handle AND staff.disabled_at IS NULL
        RETURNING link.staff_handle
      )
      INSERT INTO staff_session (id, token_hash, staff_handle, means)
      SELECT ${id}, ${hashOf(token)}, staff_handle, ${means} FROM used
      RETURNING staff_handle AS handle`;
    if (begun === undefined) return null;
    const { handle } = begun;
    await appendAudit(transaction, { person: handle, action: 'staff.sign_in', operationId: null, subject: id });
    return { handle, token };
  });
}

const MEANS: StaffMeans = 'command_line';

/** Who the token's session belongs to, and that it was used now. Null: there is no such session, or it has ended. */
export async function actorOfSession(database: Database, token: string): Promise<Actor | null> {
  const [actor] = await database.$queryRaw<Actor[]>`
    UPDATE staff_session AS session SET last_seen_at = now()
    FROM staff
    WHERE session.token_hash = ${hashOf(token)} AND session.revoked_at IS NULL
      AND session.last_seen_at > now() - make_interval(mins => ${SESSION_LIMITS.idleMinutes})
      AND session.created_at > now() - make_interval(hours => ${SESSION_LIMITS.hours})
      AND staff.handle = session.staff_handle AND staff.disabled_at IS NULL
    RETURNING session.staff_handle AS handle, session.means, session.id AS "sessionId"`;
  return actor ?? null;
}

/** Ends the session. */
export async function endSession(database: Database, { handle, sessionId }: Actor): Promise<void> {
  if (sessionId === null) return;
  await inTransaction(database, async (transaction) => {
    await transaction.staffSession.updateMany({
      where: { id: sessionId, revokedAt: null },
      data: { revokedAt: new Date() },
    });
    await appendAudit(transaction, { person: handle, action: 'staff.sign_out', operationId: null, subject: sessionId });
  });
}

function hashOf(token: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(createHash('sha256').update(token).digest());
}
