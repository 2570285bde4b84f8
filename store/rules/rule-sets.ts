// Rule set versions of an operation, numbered 1, 2, 3, …; the highest is in force. Each is written once: with the
// engine's own thresholds, which later versions without any keep, and with its `rules.updated` event.
import { presentEvent } from '../../contract/http/presenters.js';
import { type EngineRules, engineRulesSchema } from '../../domain/rules/engine-rules.js';
import { parseRuleSet, type RuleSet, servedRuleSet } from '../../domain/rules/rule-set.js';
import type { Prisma, RuleSetVersion } from '../../prisma/generated/client.js';
import { appendAudit } from '../audit/audit.js';
import type { Database } from '../database.js';
import { isUniqueViolation } from '../errors.js';
import { placeOf } from '../sealing/places.js';
import type { Sealer } from '../sealing/sealer.js';
import { rowOf, sqlFile } from '../statements.js';
import { inTransaction, lockCounter, type Transaction } from '../transactions.js';

const REPLACE = sqlFile('rules/replace-rule-set.sql');

export interface StoredRuleSet {
  readonly version: number;
  readonly rules: RuleSet;
  /** RFC 3339. */
  readonly createdAt: string;
  readonly createdBy: string;
}

/** The client, or a transaction's. */
type RuleSetTable = Pick<Database, 'ruleSetVersion'>;

/** The rule set in force; null for an operation that has none (or does not exist). */
export async function currentRuleSet(database: RuleSetTable, operationId: string): Promise<StoredRuleSet | null> {
  const row = await database.ruleSetVersion.findFirst({ where: { operationId }, orderBy: { version: 'desc' } });
  return row === null ? null : storedRuleSet(row);
}

/** The newest versions of an operation, without their rules. */
export function newestRuleSets(database: Database, operationId: string, take: number) {
  return database.ruleSetVersion.findMany({
    where: { operationId },
    orderBy: { version: 'desc' },
    take,
    select: { version: true, createdAt: true, createdBy: true },
  });
}

/** One version; `null` if there is none. */
export async function ruleSetOfVersion(
  database: RuleSetTable,
  operationId: string,
  version: number,
): Promise<StoredRuleSet | null> {
  const row = await database.ruleSetVersion.findUnique({
    where: { operationId_version: { operationId, version } },
  });
  return row === null ? null : storedRuleSet(row);
}

/** The engine's own thresholds of a version, by default the newest. Empty if none were ever set. */
export async function engineRulesOf(
  database: Pick<Database, 'ruleSetVersion'>,
  operationId: string,
  version?: number,
): Promise<EngineRules> {
  const row = await database.ruleSetVersion.findFirst({
    where: { operationId, ...(version === undefined ? {} : { version }) },
    orderBy: { version: 'desc' },
    select: { engine: true },
  });
  return engineRulesSchema.parse(row?.engine ?? {});
}

function storedRuleSet({ version, rules, createdAt, createdBy }: RuleSetVersion): StoredRuleSet {
  return { version, rules: parseRuleSet(rules), createdAt: createdAt.toISOString(), createdBy };
}

export interface NewRuleSet {
  readonly operationId: string;
  /** The `version` in it is replaced by the next one. */
  readonly rules: RuleSet;
  readonly createdBy: string;
  /** Stored only if this is still the version in force; 0 if there is none yet. */
  readonly expectedVersion?: number;
}

export type RuleSetInsertion =
  | { readonly kind: 'stored'; readonly version: number }
  /** Another version was stored in the meantime. */
  | { readonly kind: 'stale'; readonly currentVersion: number }
  | { readonly kind: 'unknown_operation' };

const INSERT_ATTEMPTS = 20;

/**
 * Stores the next version without an event. SQL, because the number is taken and the row inserted in one statement: of
 * two concurrent calls one is stored first, and the other becomes the next version, or stale.
 */
export async function insertRuleSet(
  database: Pick<Database, '$queryRaw'>,
  { operationId, rules, createdBy, expectedVersion }: NewRuleSet,
): Promise<RuleSetInsertion> {
  for (let attempt = 1; attempt <= INSERT_ATTEMPTS; attempt += 1) {
    const [row] = await database.$queryRaw<{ known: boolean; current: number; stored: number | null }[]>`
      WITH known AS (
        SELECT id, coalesce((SELECT max(version) FROM rule_set_version WHERE operation_id = id), 0) AS current
        FROM operation WHERE id = ${operationId}
      ),
      stored AS (
        INSERT INTO rule_set_version (operation_id, version, rules, created_by)
        SELECT id, current + 1, jsonb_set(${JSON.stringify(rules)}::jsonb, '{version}', to_jsonb(current + 1)),
          ${createdBy}
        FROM known WHERE current = coalesce(${expectedVersion ?? null}::int, current)
        ON CONFLICT DO NOTHING
        RETURNING version
      )
      SELECT EXISTS (SELECT FROM known) AS known, coalesce((SELECT current FROM known), 0) AS current,
        (SELECT version FROM stored) AS stored`;
    if (row === undefined || !row.known) return { kind: 'unknown_operation' };
    if (row.stored !== null) return { kind: 'stored', version: row.stored };
    if (expectedVersion !== undefined && row.current !== expectedVersion)
      return { kind: 'stale', currentVersion: row.current };
    // Another transaction has just taken the number: try the next.
  }
  throw new Error('rule set versions of this operation change too fast');
}

export interface RulesOrder {
  readonly operationId: string;
  readonly rules: RuleSet;
  /** `null` keeps those in force. */
  readonly engine: EngineRules | null;
  readonly createdBy: string;
  /** Stored only if this version is in force; otherwise the answer is `stale`. */
  readonly expectedVersion?: number;
}

/** Stores the next version of rules and engine in one transaction. */
export async function setRules(database: Database, order: RulesOrder): Promise<RuleSetInsertion> {
  return inTransaction(database, (transaction) => insertRules(transaction, order));
}

/** The version that every operation is created with. */
const FIRST_VERSION = 1;

export interface PublishedRulesOrder extends Omit<RulesOrder, 'expectedVersion'> {
  readonly eventId: string;
  readonly at: string;
  /** Stored only in place of the first version, and before the operation's first payment; otherwise `stale`. */
  readonly isFirstOnly: boolean;
}

/**
 * The same with the version's `rules.updated` event. Locks the counter first, like every transition, and the audit
 * trail last.
 */
export async function setAndPublishRules(
  database: Database,
  sealer: Sealer,
  { isFirstOnly, ...rest }: PublishedRulesOrder,
): Promise<RuleSetInsertion> {
  const order = isFirstOnly ? { ...rest, expectedVersion: FIRST_VERSION } : rest;
  return inTransaction(database, async (transaction) => {
    await lockCounter(transaction, order.operationId);
    if (isFirstOnly && (await hasPayments(transaction, order.operationId)))
      return { kind: 'stale', currentVersion: (await currentRuleSet(transaction, order.operationId))?.version ?? 1 };
    const stored = await insertRules(transaction, order);
    if (stored.kind === 'stored') await publishRuleSet(transaction, sealer, order, stored.version);
    return stored;
  });
}

async function hasPayments(transaction: Transaction, operationId: string): Promise<boolean> {
  const where = { operationId };
  const select = { id: true };
  if ((await transaction.deposit.findFirst({ where, select })) !== null) return true;
  return (await transaction.withdrawal.findFirst({ where, select })) !== null;
}

/** The same inside the caller's transaction. */
export async function insertRules(
  transaction: Transaction,
  { operationId, rules, engine, createdBy, expectedVersion }: RulesOrder,
): Promise<RuleSetInsertion> {
  const stored = await insertRuleSet(transaction, {
    operationId,
    rules,
    createdBy,
    ...(expectedVersion === undefined ? {} : { expectedVersion }),
  });
  if (stored.kind !== 'stored' || engine === null) return stored;
  const { version } = stored;
  await transaction.ruleSetVersion.updateMany({
    where: { operationId, version },
    data: { engine: engine as unknown as Prisma.InputJsonValue },
  });
  await appendAudit(transaction, {
    person: createdBy,
    action: 'rules.engine_set',
    operationId,
    subject: operationId,
    detail: { version, engine },
  });
  return stored;
}

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
async function publishRuleSet(
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
