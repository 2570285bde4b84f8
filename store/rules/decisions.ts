// Decisions of the rules engine, each stored with its facts, thresholds, the finding of every rule, the outcome, and a
// digest that evaluating the same facts gives again; and the reads of stored ones, in the order in which they were
// made.
import { createHash } from 'node:crypto';
import { withAmounts, writeJson } from '../../domain/money.js';
import { canonicalJson, type JsonValue } from '../../domain/rules/canonical-json.js';
import type { DecisionStage } from '../../domain/rules/engine.js';
import type { RuleReport } from '../../domain/rules/rule.js';
import type { Thresholds } from '../../domain/rules/thresholds.js';
import type { Decision } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';

export interface DecisionRecord {
  readonly operationId: string;
  readonly objectId: string;
  /** The payment's player; undefined if the question does not have it (the payment's row does). */
  readonly playerRef?: string | undefined;
  readonly stage: DecisionStage;
  readonly ruleSetVersion: number;
  readonly facts: object;
  readonly thresholds: Thresholds;
  readonly reports: readonly RuleReport[];
  readonly outcome: object;
  /** Workflow time. */
  readonly at: string;
}

/** The parameter of `store_decision` (prisma/functions); `null` if there is no decision. */
export function decisionParameter(record: DecisionRecord | null): string | null {
  return record === null ? null : writeJson({ ...record, digest: decisionDigest(record) });
}

/** Stores a decision that leads to no row, such as a refusal. */
export async function insertDecision(database: Database, record: DecisionRecord): Promise<void> {
  await database.$executeRaw`SELECT store_decision(${decisionParameter(record)}::jsonb)`;
}

export interface DigestInput {
  readonly facts: object;
  readonly thresholds: Thresholds;
  readonly ruleSetVersion: number;
  readonly outcome: object;
}

/** SHA-256, in lower-case hex, of the canonical JSON of {facts, outcome, rule_set_version, thresholds}. */
export function decisionDigest({ facts, thresholds, ruleSetVersion, outcome }: DigestInput): string {
  const digested = { facts, thresholds, outcome, rule_set_version: ruleSetVersion } as unknown as JsonValue;
  return createHash('sha256').update(canonicalJson(digested), 'utf8').digest('hex');
}

export interface DecisionFilter {
  readonly operationId: string | null;
  readonly objectId: string | null;
  readonly since: Date;
}

/** The decisions on one payment, oldest first, at most `take`. */
export async function decisionsOf(database: Database, objectId: string, take: number): Promise<Decision[]> {
  return (await database.decision.findMany({ where: { objectId }, orderBy: { id: 'asc' }, take })).map(evaluable);
}

/** The newest decision on a payment; null if the rules never saw it. */
export function lastDecisionOn(database: Database, objectId: string) {
  return database.decision.findFirst({
    where: { objectId },
    orderBy: { id: 'desc' },
    select: { operationId: true, stage: true, outcome: true, decidedAt: true },
  });
}

/** Every decision that the filter matches, oldest first, read in pages. */
export async function* decisionPages(
  database: Database,
  { operationId, objectId, since }: DecisionFilter,
  pageSize: number,
): AsyncIterable<Decision[]> {
  let after = 0n;
  for (;;) {
    const page = await database.decision.findMany({
      where: {
        id: { gt: after },
        decidedAt: { gte: since },
        ...(operationId === null ? {} : { operationId }),
        ...(objectId === null ? {} : { objectId }),
      },
      orderBy: { id: 'asc' },
      take: pageSize,
    });
    if (page.length > 0) yield page.map(evaluable);
    const last = page.at(-1);
    if (last === undefined || page.length < pageSize) return;
    after = last.id;
  }
}

/** The newest decision's id; 0 without any. */
export async function newestDecisionId(database: Database): Promise<bigint> {
  return (await database.decision.findFirst({ orderBy: { id: 'desc' }, select: { id: true } }))?.id ?? 0n;
}

/** The decisions with these ids, as far as they exist. */
export async function decisionsWithIds(database: Database, ids: readonly bigint[]): Promise<Decision[]> {
  return (await database.decision.findMany({ where: { id: { in: [...ids] } } })).map(evaluable);
}

/** The amounts that the rules compare are bigint; the findings stay as they are shown. */
function evaluable(decision: Decision): Decision {
  return { ...decision, facts: withAmounts(decision.facts), thresholds: withAmounts(decision.thresholds) };
}

/** Whether the operation has this version of its rule set. */
export async function ruleSetVersionExists(database: Database, operationId: string, version: number): Promise<boolean> {
  return (await database.ruleSetVersion.count({ where: { operationId, version } })) > 0;
}
