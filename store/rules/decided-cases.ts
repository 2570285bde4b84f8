// The cases that an operation's rules decided, page by page, newest first, each with the decision that counted. A case
// that was decided again (facts had changed, a wait continued) is counted once. SQL, because "the last of each" needs
// subqueries.
import type { DecidedCase, LaterDecision, StoredDecision } from '../../domain/rules/proof/redecide.js';
import { Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';

/** Facts are a few kilobytes each: a page is a few megabytes at most. */
const PAGE = 500;

export interface CaseWindow {
  readonly operationId: string;
  /** Inclusive, RFC 3339. */
  readonly from: string;
  /** Exclusive, RFC 3339; also for later decisions. */
  readonly through: string;
}

/** Pages of decided cases. Every row is found by an index in the order of the page; nothing is sorted. */
export async function* decidedCases(database: Database, window: CaseWindow): AsyncGenerator<DecidedCase[]> {
  let before: { at: Date; id: string } | null = null;
  for (;;) {
    const rows: CaseRow[] = await database.$queryRaw<CaseRow[]>(pageSql(window, before));
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.map(caseOf);
    if (rows.length < PAGE) return;
    before = { at: last.decided_at, id: last.id };
  }
}

/**
 * A creation or payment counts as it was decided last; a dispatch as it was decided first, because later decisions only
 * say how long it waited. Subqueries instead of joins: each is an index probe whatever the planner assumes about table
 * sizes.
 */
function pageSql(window: CaseWindow, before: { at: Date; id: string } | null): Prisma.Sql {
  const { operationId, from, through } = window;
  const ofTheSame = Prisma.sql`
        FROM decision AS other
        WHERE other.object_id = decision.object_id AND other.stage = decision.stage
          AND other.decided_at < ${through}::timestamptz`;
  const older =
    before === null
      ? Prisma.sql`TRUE`
      : Prisma.sql`(decision.decided_at, decision.id) < (${before.at}::timestamptz, ${before.id}::bigint)`;
  return Prisma.sql`
    SELECT decision.id::text AS id, object_id, stage, decided_at, facts, outcome, thresholds->>'timezone' AS timezone,
      ${laterSql(window)} AS later,
      ${PLAYER_REF} AS player_ref,
      ${AMOUNT_MINOR} AS amount_minor
    FROM decision
    WHERE operation_id = ${operationId}
      AND decided_at >= ${from}::timestamptz AND decided_at < ${through}::timestamptz
      AND ${older} AND stage <> 'dict' AND ${IS_ITS_CASE}
      AND decision.id = CASE
        WHEN stage = 'dispatch' THEN (SELECT min(other.id) ${ofTheSame})
        ELSE (SELECT max(other.id) ${ofTheSame})
      END
    ORDER BY decided_at DESC, decision.id DESC LIMIT ${PAGE}`;
}

/** A judgement under review is a case of its own only if the rules did not decide the creation. */
const IS_ITS_CASE = Prisma.sql`(
        stage <> 'review' OR NOT EXISTS (
          SELECT FROM decision AS first WHERE first.object_id = decision.object_id AND first.stage = 'creation'
        )
      )`;

/** The last decision after the creation: with the directory's answer, or under review. */
function laterSql({ through }: CaseWindow): Prisma.Sql {
  return Prisma.sql`
      CASE WHEN stage = 'creation' THEN (
        SELECT json_build_object(
          'stage', later.stage, 'facts', later.facts, 'outcome', later.outcome,
          'timezone', later.thresholds->>'timezone'
        )
        FROM decision AS later
        WHERE later.object_id = decision.object_id AND later.stage IN ('dict', 'review')
          AND later.decided_at < ${through}::timestamptz
        ORDER BY later.id DESC LIMIT 1
      ) END`;
}

const PLAYER_REF = Prisma.sql`
      coalesce(
        player_ref,
        (SELECT player_ref FROM withdrawal WHERE id = object_id),
        (SELECT player_ref FROM deposit WHERE id = object_id)
      )`;

const AMOUNT_MINOR = Prisma.sql`
      CASE stage
        WHEN 'creation' THEN facts->>'amountMinor'
        WHEN 'review' THEN facts->>'amountMinor'
        WHEN 'payment' THEN facts->>'paidAmountMinor'
        ELSE (SELECT amount_minor::text FROM withdrawal WHERE id = object_id)
      END`;

interface CaseRow {
  readonly id: string;
  readonly object_id: string;
  readonly stage: DecidedCase['stage'];
  readonly decided_at: Date;
  readonly facts: object;
  readonly outcome: StoredDecision['outcome'];
  readonly timezone: string;
  readonly later: LaterDecision | null;
  readonly player_ref: string | null;
  readonly amount_minor: string | null;
}

function caseOf(row: CaseRow): DecidedCase {
  return {
    objectId: row.object_id,
    stage: row.stage,
    decidedAt: row.decided_at.toISOString(),
    playerRef: row.player_ref,
    amountMinor: row.amount_minor,
    decision: { facts: row.facts, outcome: row.outcome, timezone: row.timezone },
    later: row.later,
  };
}
