// Acts of staff: stored before a workflow is asked, read by the step that does them, and used up by the statement that
// stores what they do.
import { newId } from '../../domain/identifiers.js';
import type { ActSignature } from '../../domain/signed-act.js';
import {
  type AccessActKind,
  ACT_LASTS_SECONDS,
  BREAK_GLASS_MINUTES,
  type Doer,
  isSignedAct,
  MEANS_OF_SIGNED_ACTS,
  meansIn,
  type OwnActKind,
  rolesFor,
  type StaffAct,
  type StaffActKind,
  type StaffMeans,
  STORED_ACTS,
  type StoredActKind,
  type UsedAct,
} from '../../domain/staff.js';
import type { StaffAct as StaffActRow } from '../../prisma/generated/client.js';
import { originAddress } from '../audit/origin.js';
import type { Database } from '../database.js';
import { rowOf, sqlFile } from '../statements.js';
import { inTransaction, type Transaction } from '../transactions.js';
import { noteBreakGlassAct } from './break-glass-acts.js';
import { isSigned } from './signatures.js';

const ACT = sqlFile('staff/act.sql');

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
  const { actor, kind, operationId, deployment } = act;
  const [row] = await transaction.$queryRaw<{ may: boolean }[]>`
    SELECT is_access_act_permitted(${actor.handle}, ${actor.sessionId}, ${actor.means},
      ${actor.signature?.credentialId ?? null}, ${operationId}, ${deployment}, ${rulesOf(kind)}::jsonb) AS may`;
  return row?.may === true;
}

/**
 * Stores an act and uses it up, in the transaction that performs it. Returns its person with its id, for the audit
 * trail; `null` if the person may not do this: then nothing is stored.
 */
export async function doAct(transaction: Transaction, act: AccessAct): Promise<Doer | null> {
  const { actor, kind, operationId, deployment } = act;
  const id = newId('staffAct');
  const stored = await transaction.$executeRaw`
    INSERT INTO staff_act (id, kind, operation_id, staff_handle, session_id, means, subject_id, subject_version, reason,
      address, signature, created_at, expires_at, consumed_at, outcome)
    SELECT ${id}, ${kind}, ${operationId}, ${actor.handle}, ${actor.sessionId}, ${actor.means}, ${act.subjectId}, 0,
      ${act.reason ?? ''}, ${originAddress()}::text, ${signatureOf(actor)}::jsonb, now(), now() + interval '1 minute',
      now(), 'done'
    WHERE is_access_act_permitted(${actor.handle}, ${actor.sessionId}, ${actor.means},
      ${actor.signature?.credentialId ?? null}, ${operationId}, ${deployment}, ${rulesOf(kind)}::jsonb)`;
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
  const row = await rowOf<ActRow>(database, ACT({ id, rules: RULES }));
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
 * The parameter of `use_act` (prisma/functions), by which a statement uses up the act that it performs; `null` if it
 * performs none. `digest`: that of the report which the act is for.
 */
export function usedActParameter(act: UsedAct | undefined, digest: string | null = null): string | null {
  if (act === undefined) return null;
  const { id, kind, others } = act;
  return JSON.stringify({ id, kind, others, digest, rules: ruleOf(kind) });
}

/** What the database asks of acts of a kind: one of these roles, and in each environment one of these means. */
function ruleOf(kind: StaffActKind) {
  const inProduction = isSignedAct(kind) ? MEANS_OF_SIGNED_ACTS[kind] : meansIn('production');
  return {
    roles: rolesFor(kind),
    means: { sandbox: meansIn('sandbox'), production: inProduction },
    breakGlassMinutes: BREAK_GLASS_MINUTES,
  };
}

function rulesOf(kind: StaffActKind): string {
  return JSON.stringify(ruleOf(kind));
}

/** By kind. */
const RULES = JSON.stringify(Object.fromEntries(STORED_ACTS.map((kind) => [kind, ruleOf(kind)])));
