// Decisions of the rules engine, each stored with its facts, thresholds, the finding of every rule, the outcome, and a
// digest that evaluating the same facts gives again.
import { writeJson } from '../../domain/money.js';
import type { DecisionStage } from '../../domain/rules/replay.js';
import type { RuleReport } from '../../domain/rules/rule.js';
import type { Thresholds } from '../../domain/rules/thresholds.js';
import type { Database } from '../database.js';
import { decisionDigest } from './decision-digest.js';

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
