// The engine's own thresholds beside the rule sets: set together with a new version, and kept by later versions without
// any.
import { type EngineRules, engineRulesSchema } from '../../domain/rules/engine-rules.js';
import type { RuleSet } from '../../domain/rules/rule-set.js';
import type { Prisma } from '../../prisma/generated/client.js';
import { appendAudit } from '../audit/audit.js';
import type { Database } from '../database.js';
import { inTransaction, lockCounter, type Transaction } from '../transactions.js';
import { publishRuleSet } from './rule-set-replacement.js';
import { currentRuleSet, insertRuleSet, type RuleSetInsertion } from './rule-sets.js';
import type { Sealer } from '../sealing/sealer.js';

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
