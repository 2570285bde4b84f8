// Rule set versions of an operation: written once, numbered 1, 2, 3, …; the highest is in force.
import { presentEvent } from '../../contract/http/presenters/event.js';
import type { RuleChangeDecision } from '../../domain/rule-change.js';
import { canonicalJson } from '../../domain/rules/canonical-json.js';
import type { EngineRules } from '../../domain/rules/engine-rules.js';
import { parseRuleSet, type RuleSet, servedRuleSet } from '../../domain/rules/rule-set.js';
import { Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';
import type { Transaction } from '../operations/access.js';
import type { Sealer } from '../sealing/sealer.js';
import { isUniqueViolation } from '../unique-violation.js';

export interface StoredRuleSet {
  readonly version: number;
  readonly rules: RuleSet;
  /** RFC 3339. */
  readonly createdAt: string;
  readonly createdBy: string;
}

export interface NewRuleSet {
  readonly operationId: string;
  /** Its `version` is replaced by the next one. */
  readonly rules: RuleSet;
  readonly createdBy: string;
  /** Stored only if this is still the version in force (0: there is none yet). */
  readonly expectedVersion?: number;
}

export type RuleSetInsertion =
  | { readonly kind: 'stored'; readonly version: number }
  /** Another version came in between. */
  | { readonly kind: 'stale'; readonly currentVersion: number }
  | { readonly kind: 'unknown_operation' };

/** Anything that runs raw SQL: the client, or a transaction's. */
type RawDatabase = Pick<Database, '$queryRaw'>;

/** The rule set in force; null for an operation that has none (or does not exist). */
export async function currentRuleSet(database: RawDatabase, operationId: string): Promise<StoredRuleSet | null> {
  const [row] = await database.$queryRaw<RuleSetRow[]>(Prisma.sql`
    SELECT version, rules, created_at, created_by FROM rule_set_version
    WHERE operation_id = ${operationId} ORDER BY version DESC LIMIT 1`);
  return row === undefined ? null : storedRuleSet(row);
}

/** One earlier or current version; null if there is none. */
export async function ruleSetOfVersion(
  database: RawDatabase,
  operationId: string,
  version: number,
): Promise<StoredRuleSet | null> {
  const [row] = await database.$queryRaw<RuleSetRow[]>(Prisma.sql`
    SELECT version, rules, created_at, created_by FROM rule_set_version
    WHERE operation_id = ${operationId} AND version = ${version}`);
  return row === undefined ? null : storedRuleSet(row);
}

/** Stores the next version in one statement, without an event: an operation's first. Of two that race one is stored first; the other becomes the next, or stale. */
export async function insertRuleSet(database: RawDatabase, input: NewRuleSet): Promise<RuleSetInsertion> {
  const { operationId, rules, createdBy } = input;
  for (let attempt = 1; attempt <= INSERT_ATTEMPTS; attempt += 1) {
    const [row] = await database.$queryRaw<{ known: boolean; current: number; stored: number | null }[]>(Prisma.sql`
      WITH known AS (SELECT id, coalesce((SELECT max(version) FROM rule_set_version WHERE operation_id = id), 0) AS current
                     FROM operation WHERE id = ${operationId}),
           stored AS (
             INSERT INTO rule_set_version (operation_id, version, rules, created_by)
             SELECT id, current + 1, jsonb_set(${JSON.stringify(rules)}::jsonb, '{version}', to_jsonb(current + 1)), ${createdBy}
             FROM known WHERE current = coalesce(${input.expectedVersion ?? null}::int, current)
             ON CONFLICT DO NOTHING RETURNING version)
      SELECT EXISTS (SELECT FROM known) AS known, coalesce((SELECT current FROM known), 0) AS current, (SELECT version FROM stored) AS stored`);
    if (row === undefined || !row.known) return { kind: 'unknown_operation' };
    if (row.stored !== null) return { kind: 'stored', version: row.stored };
    if (input.expectedVersion !== undefined && row.current !== input.expectedVersion)
      return { kind: 'stale', currentVersion: row.current };
    // Another version took the number in this very moment: look again.
  }
  throw new Error('rule set versions of this operation change too fast');
}

const INSERT_ATTEMPTS = 20;

export interface RuleSetReplacement {
  readonly operationId: string;
  /** Its `version` is replaced by `baseVersion + 1`. */
  readonly rules: RuleSet;
  /** The engine's own thresholds; null keeps those in force. */
  readonly engine: EngineRules | null;
  readonly createdBy: string;
  /** The version that must still be in force. */
  readonly baseVersion: number;
  /** RFC 3339. */
  readonly at: string;
  /** The id of the `rules.updated` event. */
  readonly eventId: string;
  /** The request that this carries out; it is closed in the same statement, and only while it is pending and its proof is the approved one. */
  readonly request: {
    readonly id: string;
    readonly decisions: readonly RuleChangeDecision[];
    readonly proofDigest: string;
  } | null;
}

export type RuleSetReplaced =
  { readonly kind: 'stored'; readonly version: number } | { readonly kind: 'stale'; readonly currentVersion: number };

/**
 * Puts the next version in force with its `rules.updated` event, in one statement. The event's object is the operation's
 * rule set: `object_id` is the operation's id and `object_version` the rule set's version.
 */
export async function replaceRuleSet(
  database: Database,
  sealer: Sealer,
  order: RuleSetReplacement,
): Promise<RuleSetReplaced> {
  const version = order.baseVersion + 1;
  try {
    const [row] = await database.$queryRaw<{ current: number; stored: number | null }[]>(
      replacementSql(order, version, sealedEvent(sealer, order, version)),
    );
    if (row?.stored != null) return { kind: 'stored', version: row.stored };
    return { kind: 'stale', currentVersion: row?.current ?? 0 };
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    // Another version took the number in this very moment.
    return { kind: 'stale', currentVersion: (await currentRuleSet(database, order.operationId))?.version ?? version };
  }
}

/** Writes the `rules.updated` event of a version that the caller's transaction has just stored, with the counter's lock held. */
export async function publishRuleSet(
  transaction: Transaction,
  sealer: Sealer,
  order: Pick<RuleSetReplacement, 'operationId' | 'rules' | 'at' | 'eventId'>,
  version: number,
): Promise<void> {
  await transaction.$executeRaw`
    WITH counter AS (
      UPDATE operation_counter SET event_sequence = event_sequence + 1 WHERE operation_id = ${order.operationId} RETURNING event_sequence
    )
    INSERT INTO event (id, operation_id, sequence, type, object_id, object_version, body_sealed, created_at)
    SELECT ${order.eventId}, ${order.operationId}, event_sequence, 'rules.updated', ${order.operationId}, ${version}::int, ${sealedEvent(sealer, order, version)}::bytea, ${order.at}::timestamptz
    FROM counter`;
}

function sealedEvent(
  sealer: Sealer,
  order: Pick<RuleSetReplacement, 'operationId' | 'rules' | 'at' | 'eventId'>,
  version: number,
): Uint8Array<ArrayBuffer> {
  const { operationId, eventId: id, at: createdAt } = order;
  const object = servedRuleSet({ version, rules: order.rules });
  const envelope = presentEvent({
    id,
    type: 'rules.updated',
    createdAt,
    operationId,
    objectId: operationId,
    objectVersion: version,
    object,
  });
  return sealer.sealBytes(Buffer.from(JSON.stringify(envelope), 'utf8'));
}

/**
 * An expression that writes the newest decision on a proposed change into the audit trail, once however often its statement
 * is repeated, and answers the entry's number; null where nobody has decided. The chain's lock comes after every other one.
 */
export function decisionAuditSql(
  operationId: string,
  changeId: string,
  decisions: readonly RuleChangeDecision[],
): Prisma.Sql {
  const last = decisions.at(-1);
  if (last === undefined) return Prisma.sql`NULL::text`;
  const detail = canonicalJson({ reason: last.reason, digest: last.digest ?? undefined });
  return Prisma.sql`append_audit(${`${changeId}:${decisions.length}`}, ${last.at}::timestamptz, ${last.person}, ${`rule_change.${last.decision}`}, ${operationId}, ${changeId}, ${detail})::text`;
}

/** The counter is locked by the one that may store, so events commit in the order of their numbers. */
function replacementSql(
  { operationId, baseVersion, at, eventId, createdBy, rules, engine, request }: RuleSetReplacement,
  version: number,
  body: Uint8Array,
): Prisma.Sql {
  const isPending =
    request === null
      ? Prisma.sql`TRUE`
      : Prisma.sql`EXISTS (SELECT FROM rule_change_request WHERE id = ${request.id} AND status = 'pending_approval' AND proof_digest = ${request.proofDigest})`;
  const decisions = JSON.stringify(request?.decisions ?? []);
  const audited =
    request === null ? Prisma.sql`NULL::text` : decisionAuditSql(operationId, request.id, request.decisions);
  return Prisma.sql`
    WITH known AS (
      -- An operation without a rule set has the defaults, which are served as version 1.
      SELECT coalesce(max(version), 1) AS current FROM rule_set_version WHERE operation_id = ${operationId}
    ),
    counter AS (
      UPDATE operation_counter SET event_sequence = operation_counter.event_sequence + 1
      FROM known WHERE operation_counter.operation_id = ${operationId} AND known.current = ${baseVersion}::int AND ${isPending}
      RETURNING operation_counter.event_sequence
    ),
    stored AS (
      INSERT INTO rule_set_version (operation_id, version, rules, engine, created_at, created_by)
      SELECT ${operationId}, ${version}::int, ${JSON.stringify({ ...rules, version })}::jsonb, ${engine === null ? null : JSON.stringify(engine)}::jsonb, ${at}::timestamptz, ${createdBy} FROM counter
      RETURNING version
    ),
    published AS (
      INSERT INTO event (id, operation_id, sequence, type, object_id, object_version, body_sealed, created_at)
      SELECT ${eventId}, ${operationId}, counter.event_sequence, 'rules.updated', ${operationId}, ${version}::int, ${body}::bytea, ${at}::timestamptz FROM counter
    ),
    decided AS (
      UPDATE rule_change_request SET status = 'approved', applied_version = ${version}::int, decided_at = ${at}::timestamptz,
        decisions = ${decisions}::jsonb, decided_by = ${(request?.decisions ?? []).map(({ person }) => person)}::text[]
      FROM counter WHERE rule_change_request.id = ${request?.id ?? null}
    )
    SELECT (SELECT current FROM known) AS current, (SELECT version FROM stored) AS stored, (SELECT ${audited} FROM stored) AS audited`;
}

interface RuleSetRow {
  readonly version: number;
  readonly rules: unknown;
  readonly created_at: Date;
  readonly created_by: string;
}

function storedRuleSet(row: RuleSetRow): StoredRuleSet {
  const rules = parseRuleSet(row.rules);
  return { version: row.version, rules, createdAt: row.created_at.toISOString(), createdBy: row.created_by };
}
