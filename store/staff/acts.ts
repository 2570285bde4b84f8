// Acts of staff: stored before a workflow is asked, read by the step that does them, and used up by the statement that
// stores what they do.
import { newId } from '../../domain/identifiers.js';
import type { ActSignature } from '../../domain/signed-act.js';
import {
  type AccessActKind,
  ACT_LASTS_SECONDS,
  type ActSubject,
  BREAK_GLASS_MINUTES,
  type Doer,
  EVERY_OPERATION,
  MEANS_OF_SIGNED_ACTS,
  meansIn,
  type OwnActKind,
  rolesFor,
  SIGNED_ACTS,
  type StaffAct,
  type StaffMeans,
  STORED_ACTS,
  type StoredActKind,
  type UsedAct,
} from '../../domain/staff.js';
import { Prisma, type StaffAct as StaffActRow } from '../../prisma/generated/client.js';
import { originAddress } from '../audit/origin.js';
import type { Database } from '../database.js';
import { rowOf } from '../statements.js';
import { inTransaction, type Transaction } from '../transactions.js';
import { noteBreakGlassAct } from './break-glass-acts.js';
import { isSigned } from './signatures.js';

/** The person who acts, and how they were authenticated. */
export interface Actor {
  readonly handle: string;
  readonly means: StaffMeans;
  /** `null` without a session. */
  readonly sessionId: string | null;
  /** For the means `signature`: the signature of this act. */
  readonly signature?: ActSignature;
}

export interface NewAct {
  readonly actor: Actor;
  readonly kind: StoredActKind;
  readonly operationId: string;
  readonly subjectId: string;
  /** The version that the person saw. */
  readonly subjectVersion: number;
  /** The digest of the report that the person approves. */
  readonly subjectDigest?: string | null;
  readonly reason: string;
  readonly evidence?: string;
}

/** Stores a person's act and returns its id. */
export async function insertAct(database: Database, act: NewAct): Promise<string> {
  const { actor, kind, operationId, subjectId, subjectVersion, subjectDigest = null, reason, evidence = '' } = act;
  const [id, address] = [newId('staffAct'), originAddress()];
  // SQL, because the act lasts by the database's clock.
  const store = (on: Pick<Database, '$executeRaw'>) => on.$executeRaw`
    INSERT INTO staff_act (id, kind, operation_id, subject_id, subject_version, subject_digest, reason, evidence,
      staff_handle, session_id, means, address, signature, created_at, expires_at)
    VALUES (${id}, ${kind}, ${operationId}, ${subjectId}, ${subjectVersion}, ${subjectDigest}, ${reason}, ${evidence},
      ${actor.handle}, ${actor.sessionId}, ${actor.means}, ${address}, ${signatureOf(actor)}::jsonb, now(),
      now() + make_interval(secs => ${ACT_LASTS_SECONDS}))`;
  if (actor.means !== 'break_glass') await store(database);
  else
    await inTransaction(database, async (transaction) => {
      await store(transaction);
      await noteBreakGlassAct(transaction, { actor, kind, operationId, subjectId });
    });
  return id;
}

function signatureOf({ signature }: Actor): string | null {
  return signature === undefined ? null : JSON.stringify(signature);
}

export interface AccessAct {
  readonly actor: Actor;
  readonly kind: AccessActKind;
  /** `null` if it is about the whole gateway. */
  readonly operationId: string | null;
  /** The subject: an operation, a key, a request, … */
  readonly subjectId: string;
  /** The environment that the deployment serves: of acts about the whole gateway. */
  readonly deployment: 'sandbox' | 'production';
  readonly reason?: string;
}

/** Whether the person may do this now, and their means of authentication is enough. */
export async function mayAct(transaction: Transaction, act: AccessAct): Promise<boolean> {
  const [row] = await transaction.$queryRaw<{ may: boolean }[]>`SELECT EXISTS (${permittedActSql(act)}) AS may`;
  return row?.may === true;
}

/**
 * Stores an act and uses it up, in the transaction that performs it. Returns its person with its id, for the audit
 * trail; `null` if the person may not do this: then nothing is stored.
 */
export async function doAct(transaction: Transaction, act: AccessAct): Promise<Doer | null> {
  const { actor } = act;
  const id = newId('staffAct');
  const stored = await transaction.$executeRaw`
    INSERT INTO staff_act (kind, operation_id, staff_handle, session_id, means, id, subject_id, subject_version, reason,
      address, signature, created_at, expires_at, consumed_at, outcome)
    SELECT permitted.*, ${id}, ${act.subjectId}, 0, ${act.reason ?? ''}, ${originAddress()}::text,
      ${signatureOf(actor)}::jsonb,
      now(), now() + interval '1 minute', now(), 'done'
    FROM (${permittedActSql(act)}) AS permitted`;
  if (stored !== 1) return null;
  if (actor.means === 'break_glass') await noteBreakGlassAct(transaction, act);
  return { handle: actor.handle, means: actor.means, actId: id };
}

/**
 * Stores what a person did to their own keys, and signed, as done. Everybody may, so no role is asked for; the caller
 * has verified the signature.
 */
export async function storeOwnAct(
  transaction: Transaction,
  {
    actor,
    kind,
    subjectId,
    reason,
  }: { readonly actor: Actor; readonly reason: string } & {
    readonly kind: OwnActKind;
    readonly subjectId: string;
  },
): Promise<Doer> {
  const id = newId('staffAct');
  await transaction.$executeRaw`
    INSERT INTO staff_act (id, kind, subject_id, subject_version, reason, staff_handle, session_id, means, signature,
      created_at, expires_at, consumed_at, outcome)
    VALUES (${id}, ${kind}, ${subjectId}, 0, ${reason}, ${actor.handle}, ${actor.sessionId}, ${actor.means},
      ${signatureOf(actor)}::jsonb, now(), now() + interval '1 minute', now(), 'done')`;
  return { handle: actor.handle, means: actor.means, actId: id };
}

/** One row if the act may be done. A signature of a passkey that signs nothing yet is none (keep_passkey). */
function permittedActSql({ actor, kind, operationId, deployment }: AccessAct): Prisma.Sql {
  return Prisma.sql`
    SELECT act.* FROM (
      VALUES (${kind}, ${operationId}::text, ${actor.handle}, ${actor.sessionId}::text, ${actor.means})
    ) AS act (kind, operation_id, staff_handle, session_id, means)
    LEFT JOIN operation ON operation.id = act.operation_id
    WHERE ${permittedSql(Prisma.sql`${[...rolesFor(kind)]}::text[]`)}
      AND ${enoughMeansSql(Prisma.sql`coalesce(operation.environment, ${deployment})`)}
      AND NOT EXISTS (
        SELECT FROM staff_passkey WHERE id = ${actor.signature?.credentialId ?? null}
          AND coalesce(signs_from > now(), TRUE)
      )`;
}

/**
 * Closes an act before the person is told that it was not done, so that it never will be. A used act stays as it is:
 * `done` if it was done all the same.
 */
export async function closeAct(database: Database, id: string): Promise<'closed' | 'done'> {
  const { count } = await database.staffAct.updateMany({
    where: { id, consumedAt: null },
    data: { consumedAt: new Date(), outcome: 'refused' },
  });
  if (count === 1) return 'closed';
  return (await actById(database, id))?.outcome === 'done' ? 'done' : 'closed';
}

/** An act as a step finds it. */
export interface FoundAct extends StaffAct {
  /** Stored as signed, and no passkey of the person signed it. It is never done. */
  readonly isForged: boolean;
}

interface ActRow extends StaffAct {
  readonly signature: unknown;
  /** The public key of the passkey that the signature names, if it is the person's; `null` otherwise. */
  readonly publicKey: Uint8Array | null;
}

/**
 * The act as it is now, with its signature verified; `null` if there is none. Uses the driver, because a step reads it
 * together with its subject. An act never changes, so the statement that uses it up can rely on this read.
 */
export async function readAct(database: Database, id: string): Promise<FoundAct | null> {
  const row = await rowOf<ActRow>(
    database,
    Prisma.sql`
      SELECT act.id, act.kind, act.operation_id AS "operationId", act.subject_id AS "subjectId",
        act.subject_version AS "subjectVersion", act.subject_digest AS "subjectDigest", act.staff_handle AS handle,
        act.reason, act.evidence, act.consumed_at IS NOT NULL AS "isUsed",
        act.outcome IS NOT DISTINCT FROM 'done' AS "isDone",
        act.expires_at <= now() AS "isExpired", ${IS_PERMITTED} AS "isPermitted", ${IS_MEANS_ENOUGH} AS "isMeansEnough",
        act.means, act.address, people_close_to(act.staff_handle) AS "closeTo", act.signature,
        (SELECT public_key FROM staff_passkey WHERE ${IS_PASSKEY_OF_ACT}) AS "publicKey"
      FROM staff_act AS act
      JOIN operation ON operation.id = act.operation_id
      WHERE act.id = ${id}`,
  );
  if (row === null) return null;
  const { signature, publicKey, ...act } = row;
  const isForged = act.means === 'signature' && !(publicKey !== null && (await isSigned(act, signature, publicKey)));
  return { ...act, isForged, isMeansEnough: act.isMeansEnough && !isForged };
}

/** The act's row, for people; `null` if there is none. */
export function actById(database: Database, id: string): Promise<StaffActRow | null> {
  return database.staffAct.findUnique({ where: { id } });
}

/**
 * CTE `used`, after a CTE `held` with the locked subject: one row if the act may be done, and then it is used up. SQL
 * cannot verify a signature: `readAct`, by which the step read the act, has done so.
 */
export function usedActSql({ id, kind, others }: UsedAct, subject: ActSubject): Prisma.Sql {
  return Prisma.sql`
    used AS (
      UPDATE staff_act AS act SET consumed_at = now(), outcome = 'done'
      FROM held, operation
      WHERE act.id = ${id} AND act.kind = ${kind} AND act.subject_id = ${subject.id}
        AND act.operation_id = ${subject.operationId} AND operation.id = act.operation_id
        AND act.subject_version = ${subject.version}
        AND act.subject_digest IS NOT DISTINCT FROM ${subject.digest ?? null}::text
        AND act.consumed_at IS NULL AND act.expires_at > now()
        AND act.staff_handle <> ALL(${[...others]}::text[])
        AND NOT people_close_to(act.staff_handle) && ${[...others]}::text[]
        AND NOT (act.means = 'break_glass' AND ${others.length > 0}::boolean)
        AND ${IS_PERMITTED} AND ${IS_MEANS_ENOUGH}
        AND (act.means <> 'signature' OR EXISTS (SELECT FROM staff_passkey WHERE ${IS_PASSKEY_OF_ACT}))
      RETURNING act.id
    ),`;
}

/** A condition of a statement with `act` and its `operation`. */
const IS_PERMITTED = permittedSql(
  Prisma.sql`CASE act.kind ${Prisma.join(
    STORED_ACTS.map((kind) => Prisma.sql`WHEN ${kind} THEN ${[...rolesFor(kind)]}::text[]`),
    ' ',
  )} END`,
);
const IS_MEANS_ENOUGH = enoughMeansSql(Prisma.sql`operation.environment`);

/** The passkey that a signed act names, if the person has it, had it then, and it was no new one. */
const IS_PASSKEY_OF_ACT = Prisma.sql`
  staff_passkey.id = act.signature ->> 'credentialId' AND staff_passkey.staff_handle = act.staff_handle
  AND staff_passkey.removed_at IS NULL AND staff_passkey.created_at <= act.created_at
  AND staff_passkey.signs_from <= act.created_at`;

/** Whether the act's means is enough for its kind. */
function enoughMeansSql(environment: Prisma.Sql): Prisma.Sql {
  const enough = Prisma.join(
    SIGNED_ACTS.map((kind) => Prisma.sql`WHEN ${kind} THEN ${[...MEANS_OF_SIGNED_ACTS[kind]]}::text[]`),
    ' ',
  );
  return Prisma.sql`
  (CASE ${environment}
    WHEN 'sandbox' THEN act.means = ANY(${meansIn('sandbox')}::text[])
    WHEN 'production' THEN act.means = ANY(CASE act.kind ${enough} ELSE ${meansIn('production')}::text[] END)
    ELSE FALSE
  END)`;
}

/** `roles` are those of which one is enough. */
function permittedSql(roles: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    EXISTS (
      SELECT FROM staff
      JOIN staff_role ON staff_role.staff_handle = staff.handle
      WHERE staff.handle = act.staff_handle AND staff.disabled_at IS NULL
        AND staff_role.operation_id IN (${EVERY_OPERATION}, act.operation_id)
        AND (act.session_id IS NULL OR EXISTS (
          SELECT FROM staff_session
          WHERE staff_session.id = act.session_id AND staff_session.revoked_at IS NULL
            AND staff_session.staff_handle = act.staff_handle AND act.means IN ('signature', staff_session.means)
            AND (staff_session.means <> 'break_glass'
              OR staff_session.created_at > now() - make_interval(mins => ${BREAK_GLASS_MINUTES}::int))
        ))
        AND staff_role.role = ANY(${roles})
    )`;
}
