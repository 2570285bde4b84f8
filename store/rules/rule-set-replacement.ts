// Puts the next rule set version in force with its `rules.updated` event, in one statement.
import { presentEvent } from '../../contract/http/presenters/event.js';
import type { EngineRules } from '../../domain/rules/engine-rules.js';
import { type RuleSet, servedRuleSet } from '../../domain/rules/rule-set.js';
import type { Database } from '../database.js';
import { placeOf } from '../sealing/places.js';
import type { Sealer } from '../sealing/sealer.js';
import { rowOf, sqlFile } from '../statements.js';
import type { Transaction } from '../transactions.js';
import { isUniqueViolation } from '../errors.js';
import { currentRuleSet } from './rule-sets.js';

const REPLACE = sqlFile('rules/replace-rule-set.sql');

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

/** Parameters of the statement: the request's row as it was read, the last approval's act, and what becomes of both. */
export interface ApprovedRequest {
  readonly id: string;
  readonly decisionsBefore: number;
  readonly digestBefore: string | null;
  readonly act: string | null;
  /** With the last approval, as JSON. */
  readonly decisions: string;
  readonly decidedBy: readonly string[];
  readonly audit: string | null;
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
    const statement = REPLACE(parametersOf(order, version, sealedEvent(sealer, order, version)));
    const row = await rowOf<{ current: number; stored: number | null }>(database, statement);
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
  const { operationId, at } = event;
  const body = sealedEvent(sealer, event, version);
  await transaction.$executeRaw`
    WITH counter AS (
      UPDATE operation_counter SET event_sequence = event_sequence + 1
      WHERE operation_id = ${operationId}
      RETURNING event_sequence
    )
    SELECT publish_event(${operationId}, ${operationId}, ${version}::integer, event_sequence, ${at}::timestamptz,
      ${eventOf(event)}::jsonb, ${body}::bytea)
    FROM counter`;
}

/** The parameter of `publish_event`: whoever takes the event makes the first attempt to deliver it. */
function eventOf({ eventId: id }: RuleSetEvent): string {
  return JSON.stringify({ id, type: 'rules.updated', held: null });
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

function parametersOf(order: RuleSetReplacement, version: number, eventBody: Uint8Array) {
  const { operationId, baseVersion, at, createdBy, request } = order;
  return {
    ...{ operationId, baseVersion, version, at, createdBy },
    rules: JSON.stringify({ ...order.rules, version }),
    engine: order.engine === null ? null : JSON.stringify(order.engine),
    event: eventOf(order),
    eventBody,
    requestId: request?.id ?? null,
    decisionsBefore: request?.decisionsBefore ?? null,
    digestBefore: request?.digestBefore ?? null,
    act: request?.act ?? null,
    decisions: request?.decisions ?? null,
    decidedBy: request?.decidedBy ?? [],
    audit: request?.audit ?? null,
  };
}
