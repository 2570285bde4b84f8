// Every decision stored whole: facts, thresholds, each rule's finding, the outcome, and a digest that an evaluation of
// the same facts gives again.
import type { DecisionStage } from '../../domain/rules/replay.js';
import type { RuleReport } from '../../domain/rules/rule.js';
import type { Thresholds } from '../../domain/rules/thresholds.js';
import { Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';
import { decisionDigest } from './decision-digest.js';

export interface DecisionRecord {
  readonly operationId: string;
  readonly objectId: string;
  /** Whose payment it is; undefined where the question does not say (the payment's row does). */
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

/**
 * Stores the decision in one statement. The same decision again (an activity's retry) is stored once; a wait that
 * only repeats the last one (a dispatch asks every minute) is not stored again.
 */
export async function storeDecision(database: Database, record: DecisionRecord): Promise<void> {
  const { operationId, objectId, stage, ruleSetVersion, at } = record;
  const outcome = JSON.stringify(record.outcome);
  await database.$executeRaw(Prisma.sql`
    INSERT INTO decision (operation_id, object_id, stage, rule_set_version, facts, thresholds, verdicts, outcome, digest, decided_at, player_ref)
    SELECT ${operationId}, ${objectId}, ${stage}, ${ruleSetVersion}, ${JSON.stringify(record.facts)}::jsonb, ${JSON.stringify(record.thresholds)}::jsonb,
      ${JSON.stringify(record.reports)}::jsonb, ${outcome}::jsonb, ${decisionDigest(record)}, ${at}::timestamptz, ${record.playerRef ?? null}
    WHERE NOT (${outcome}::jsonb @> '{"kind": "wait"}' AND ${outcome}::jsonb IS NOT DISTINCT FROM (
      SELECT outcome FROM decision WHERE object_id = ${objectId} AND stage = ${stage} ORDER BY id DESC LIMIT 1))
    ON CONFLICT (object_id, stage, digest) DO NOTHING`);
}
