// The engine's own thresholds beside the rule sets: set together with a new version, kept by every later one that says nothing.
import { type EngineRules, engineRulesSchema } from '../../domain/rules/engine-rules.js';
import type { RuleSet } from '../../domain/rules/rule-set.js';
import { appendAudit } from '../audit/audit.js';
import type { Database } from '../database.js';
import { inTransaction, type Transaction } from '../operations/access.js';
import { insertRuleSet, publishRuleSet, type RuleSetInsertion } from './rule-sets.js';
import type { Sealer } from '../sealing/sealer.js';

export interface RulesOrder {
  readonly operationId: string;
  readonly rules: RuleSet;
  /** Null: those in force are kept. */
  readonly engine: EngineRules | null;
  readonly createdBy: string;
  /** Stored only where this version is the one in force; otherwise it is `stale`. */
  readonly expectedVersion?: number;
}

/** Stores the next version of rules and engine in one transaction. */
export async function setRules(database: Database, order: RulesOrder): Promise<RuleSetInsertion> {
  return inTransaction(database, (transaction) => insertRules(transaction, order));
}

/** The same with the version's `rules.updated` event. The counter is locked first, as every transition does, the audit trail last. */
export async function setAndPublishRules(
  database: Database,
  sealer: Sealer,
  order: RulesOrder & { readonly eventId: string; readonly at: string },
): Promise<RuleSetInsertion> {
  return inTransaction(database, async (transaction) => {
    await transaction.$queryRaw`SELECT event_sequence::text FROM operation_counter WHERE operation_id = ${order.operationId} FOR UPDATE`;
    const stored = await insertRules(transaction, order);
    if (stored.kind === 'stored') await publishRuleSet(transaction, sealer, order, stored.version);
    return stored;
  });
}

/** The same inside the caller's transaction. Nobody sees the version before it is whole. */
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
  await transaction.$executeRaw`
    UPDATE rule_set_version SET engine = ${JSON.stringify(engine)}::jsonb WHERE operation_id = ${operationId} AND version = ${version}`;
  await appendAudit(transaction, {
    person: createdBy,
    action: 'rules.engine_set',
    operationId,
    subject: operationId,
    detail: { version, engine },
  });
  return stored;
}

/** The engine's own thresholds of one version (the newest without). Empty where none were ever set. */
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
