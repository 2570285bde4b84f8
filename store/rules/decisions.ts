// Decisions of the rules engine, each stored with its facts, thresholds, the finding of every rule, the outcome, and a
// digest that evaluating the same facts gives again. SQL, because one statement compares with the last decision and
// inserts.
import type { DecisionStage } from '../../domain/rules/replay.js';
import type { RuleReport } from '../../domain/rules/rule.js';
import type { Thresholds } from '../../domain/rules/thresholds.js';
import { Prisma } from '../../prisma/generated/client.js';
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

/**
 * The statement that stores a decision. A repeat of the same decision (an activity's retry) is stored once. A `wait`
 * with the same outcome as the last decision is not stored again: a dispatch asks every minute.
 *
 * `source`: a FROM clause. The decision is stored if it has a row, so a decision can be stored only together with what
 * follows from it: `decision AS (${decisionSql(record, Prisma.sql`FROM changed`)})`.
 */
function decisionSql(record: DecisionRecord, source: Prisma.Sql = Prisma.empty): Prisma.Sql {
  const { operationId, objectId, stage, ruleSetVersion, at } = record;
  const outcome = JSON.stringify(record.outcome);
  return Prisma.sql`
    INSERT INTO decision (operation_id, object_id, stage, rule_set_version, facts, thresholds, verdicts, outcome,
      digest, decided_at, player_ref)
    SELECT ${operationId}, ${objectId}, ${stage}, ${ruleSetVersion}::int, ${JSON.stringify(record.facts)}::jsonb,
      ${JSON.stringify(record.thresholds)}::jsonb, ${JSON.stringify(record.reports)}::jsonb, ${outcome}::jsonb,
      ${decisionDigest(record)}, ${at}::timestamptz, ${record.playerRef ?? null}
    ${source}
    WHERE NOT (
      ${outcome}::jsonb @> '{"kind": "wait"}'
      AND ${outcome}::jsonb IS NOT DISTINCT FROM (
        SELECT outcome FROM decision WHERE object_id = ${objectId} AND stage = ${stage} ORDER BY id DESC LIMIT 1
      )
    )
    ON CONFLICT (object_id, stage, digest) DO NOTHING`;
}

/** CTE `decided`, with a comma before it: stores the decision, if there is one, for the row of `changed`. */
export function decidedSql(record: DecisionRecord | null, changed: Prisma.Sql): Prisma.Sql {
  return record === null
    ? Prisma.empty
    : Prisma.sql`, decided AS (${decisionSql(record, Prisma.sql`FROM ${changed}`)})`;
}

/** Stores a decision that leads to no row, such as a refusal. */
export async function insertDecision(database: Database, record: DecisionRecord): Promise<void> {
  await database.$executeRaw(decisionSql(record));
}
