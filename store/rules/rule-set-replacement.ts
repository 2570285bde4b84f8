// Puts the next rule set version in force with its `rules.updated` event. SQL, because the version, the event, the
// request, the act of the last person who approved it and the audit entry are one statement.
import { presentEvent } from '../../contract/http/presenters/event.js';
import type { RuleChangeDecision } from '../../domain/rule-change.js';
import type { EngineRules } from '../../domain/rules/engine-rules.js';
import { type RuleSet, servedRuleSet } from '../../domain/rules/rule-set.js';
import { Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';
import { outboxSql } from '../events/outbox.js';
import { placeOf } from '../sealing/places.js';
import type { Sealer } from '../sealing/sealer.js';
import type { Transaction } from '../transactions.js';
import { isUniqueViolation } from '../unique-violation.js';
import { decisionAuditSql } from './decision-audit-sql.js';
import { currentRuleSet } from './rule-sets.js';

interface RuleSetEvent {
  readonly operationId: string;
  readonly rules: RuleSet;
  /** RFC 3339. */
  readonly at: string;
  /** The id of the `rules.updated` event. */
  readonly eventId: string;
}

export interface RuleSetReplacement extends RuleSetEvent {
  /** The `version` in it is replaced by `baseVersion + 1`. */
  readonly rules: RuleSet;
  /** The engine's own thresholds; `null` keeps those in force. */
  readonly engine: EngineRules | null;
  readonly createdBy: string;
  /** The version that must still be in force. */
  readonly baseVersion: number;
  /** The request behind the change. It is closed in the same statement, which uses up the last approval's act. */
  readonly request: ApprovedRequest | null;
}

export interface ApprovedRequest {
  readonly id: string;
  /** With the last approval. */
  readonly decisions: readonly RuleChangeDecision[];
  /** Locks the request's row, if it is as it was read. */
  readonly heldSql: Prisma.Sql;
  /** CTE `used`, over the CTE `held`: the last approval's act. */
  readonly usedSql: Prisma.Sql;
}

export type RuleSetReplaced =
  | { readonly kind: 'stored'; readonly version: number }
  | { readonly kind: 'stale'; readonly currentVersion: number };

/**
 * Stores the next version with its event. The event's object is the operation's rule set: `object_id` is the
 * operation's id and `object_version` the rule set's version.
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
    // Another transaction has just stored this version.
    return { kind: 'stale', currentVersion: (await currentRuleSet(database, order.operationId))?.version ?? version };
  }
}

/** Inserts the event of a version that the caller's transaction has just stored, holding the counter's lock. */
export async function publishRuleSet(
  transaction: Transaction,
  sealer: Sealer,
  event: RuleSetEvent,
  version: number,
): Promise<void> {
  const { operationId } = event;
  await transaction.$executeRaw`
    WITH counter AS (
      UPDATE operation_counter SET event_sequence = event_sequence + 1
      WHERE operation_id = ${operationId}
      RETURNING event_sequence
    ),
    ${publishedSql(event, version, sealedEvent(sealer, event, version))}
    SELECT FROM counter`;
}

/** CTEs that store the event and put it into the outbox, over a CTE `counter`. */
function publishedSql({ operationId, eventId, at }: RuleSetEvent, version: number, body: Uint8Array): Prisma.Sql {
  return Prisma.sql`
    published AS (
      INSERT INTO event (id, operation_id, sequence, type, object_id, object_version, body_sealed, created_at)
      SELECT ${eventId}, ${operationId}, counter.event_sequence, 'rules.updated', ${operationId}, ${version}::int,
        ${body}::bytea, ${at}::timestamptz
      FROM counter
    ),
    ${outboxSql({ eventId, operationId, stored: Prisma.sql`counter` })}`;
}

function sealedEvent(
  sealer: Sealer,
  { operationId, eventId: id, at: createdAt, rules }: RuleSetEvent,
  version: number,
): Uint8Array<ArrayBuffer> {
  const envelope = presentEvent({
    id,
    type: 'rules.updated',
    createdAt,
    operationId,
    objectId: operationId,
    objectVersion: version,
    object: servedRuleSet({ version, rules }),
  });
  return sealer.sealBytes(
    placeOf('event.body_sealed', operationId, { id }),
    Buffer.from(JSON.stringify(envelope), 'utf8'),
  );
}

/** The statement that may store locks the counter, so events commit in the order of their numbers. */
function replacementSql(order: RuleSetReplacement, version: number, body: Uint8Array): Prisma.Sql {
  const { operationId, baseVersion, at, createdBy, request } = order;
  const rules = JSON.stringify({ ...order.rules, version });
  const engine = order.engine === null ? null : JSON.stringify(order.engine);
  const audited =
    request === null ? Prisma.sql`NULL::text` : decisionAuditSql(operationId, request.id, request.decisions);
  return Prisma.sql`
    WITH known AS (
      -- An operation without a rule set has the defaults, which are served as version 1.
      SELECT coalesce(max(version), 1) AS current FROM rule_set_version WHERE operation_id = ${operationId}
    ),
    ${approvedSql(request, baseVersion)}
    counter AS (
      UPDATE operation_counter SET event_sequence = operation_counter.event_sequence + 1
      FROM known
      WHERE operation_counter.operation_id = ${operationId} AND known.current = ${baseVersion}::int
        AND ${request === null ? Prisma.sql`TRUE` : Prisma.sql`EXISTS (SELECT FROM used)`}
      RETURNING operation_counter.event_sequence
    ),
    stored AS (
      INSERT INTO rule_set_version (operation_id, version, rules, engine, created_at, created_by)
      SELECT ${operationId}, ${version}::int, ${rules}::jsonb, ${engine}::jsonb, ${at}::timestamptz, ${createdBy}
      FROM counter
      RETURNING version
    ),
    ${publishedSql(order, version, body)},
    decided AS (${closingSql(request, version, at)})
    SELECT (SELECT current FROM known) AS current, (SELECT version FROM stored) AS stored,
      (SELECT ${audited} FROM stored) AS audited`;
}

/** CTEs that hold the request and use up the last approval's act. With another version in force they do nothing. */
function approvedSql(request: ApprovedRequest | null, baseVersion: number): Prisma.Sql {
  if (request === null) return Prisma.empty;
  return Prisma.sql`
    request AS (${request.heldSql}),
    held AS (SELECT request.id FROM request, known WHERE known.current = ${baseVersion}::int),
    ${request.usedSql}`;
}

/** Closes the request; without one, no row. */
function closingSql(request: RuleSetReplacement['request'], version: number, at: string): Prisma.Sql {
  const decisions = request?.decisions ?? [];
  return Prisma.sql`
      UPDATE rule_change_request SET
        status = 'approved', applied_version = ${version}::int, decided_at = ${at}::timestamptz,
        decisions = ${JSON.stringify(decisions)}::jsonb, decided_by = ${decisions.map(({ person }) => person)}::text[]
      FROM counter WHERE rule_change_request.id = ${request?.id ?? null}`;
}
