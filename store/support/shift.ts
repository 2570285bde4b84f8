// What people decided in the last hours, by person and by reason, and what waits. Each is one statement over the acts
// of that time: the acts hold who decided, the payments since when they waited and why.
import { CASE_DECISIONS } from '../../domain/case-work.js';
import { withAmounts } from '../../domain/money.js';
import { isReached, type Reach } from '../../domain/staff.js';
import { Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';
import { reachSql } from '../reach-sql.js';
import { rowsOf } from '../statements.js';

export interface ShiftFilter {
  readonly reach: Reach;
  readonly operationId: string | null;
  readonly since: Date;
  readonly decideWithinSeconds: number;
}

const MOST_FLAGGED = 50;

export interface DecidedByPerson {
  readonly person: string;
  readonly approved: number;
  readonly refused: number;
  readonly medianSeconds: number | null;
  readonly overturned: number;
  readonly flagged: number;
}

export interface DecidedByReason {
  readonly code: string;
  readonly approved: number;
  readonly refused: number;
  readonly medianSeconds: number | null;
}

export interface FlaggedDecision {
  readonly paymentId: string;
  readonly kind: 'deposit' | 'withdrawal';
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly person: string;
  readonly at: Date;
}

export interface WaitingByReason {
  readonly code: string;
  readonly waiting: number;
}

/**
 * The people who decided, with the most first. Overturned: the payment's last decision is another one, or the provider
 * undid the return.
 */
export function decidedByPeople(database: Database, filter: ShiftFilter): Promise<DecidedByPerson[]> {
  return rowsOf<DecidedByPerson>(
    database,
    Prisma.sql`
    WITH decided AS (${decidedSql(filter)})
    SELECT person, count(*) FILTER (WHERE verb = 'approve')::int AS approved,
      count(*) FILTER (WHERE verb <> 'approve')::int AS refused, ${MEDIAN} AS "medianSeconds",
      count(*) FILTER (WHERE last_verb <> verb OR verb = 'return' AND EXISTS (
        SELECT FROM audit_entry WHERE subject = decided.id
          AND action IN ('deposit.return_refused', 'deposit.return_withdrawn')
      ))::int AS overturned,
      count(*) FILTER (WHERE EXISTS (
        SELECT FROM case_note WHERE payment_id = decided.id AND act = 'flag' AND case_note.person = decided.person
      ))::int AS flagged
    FROM decided GROUP BY person ORDER BY count(*) DESC, person`,
    'for_its_values',
  );
}

/** The same by the reasons of the rules. */
export function decidedByReason(database: Database, filter: ShiftFilter): Promise<DecidedByReason[]> {
  return rowsOf<DecidedByReason>(
    database,
    Prisma.sql`
    WITH decided AS (${decidedSql(filter)})
    SELECT code, count(*) FILTER (WHERE verb = 'approve')::int AS approved,
      count(*) FILTER (WHERE verb <> 'approve')::int AS refused, ${MEDIAN} AS "medianSeconds"
    FROM decided CROSS JOIN LATERAL unnest(reasons) AS code GROUP BY code`,
    'for_its_values',
  );
}

/** The newest decisions that their people flagged as mistakes in this time. */
export async function flaggedDecisions(database: Database, filter: ShiftFilter): Promise<FlaggedDecision[]> {
  const rows = await database.$queryRaw<FlaggedDecision[]>`
    SELECT note.payment_id AS "paymentId", note.person, note.created_at AS at, payment.*
    FROM case_note AS note
    CROSS JOIN LATERAL (
      SELECT 'deposit' AS kind, amount_minor::text AS "amountMinor", currency FROM deposit WHERE id = note.payment_id
      UNION ALL
      SELECT 'withdrawal', amount_minor::text, currency FROM withdrawal WHERE id = note.payment_id
    ) AS payment
    WHERE note.act = 'flag' AND note.created_at >= ${filter.since} AND ${reachSql(reachedIn(filter), 'note.operation_id')}
    ORDER BY note.id DESC LIMIT ${MOST_FLAGGED}`;
  return withAmounts(rows);
}

/** How many cases wait for each reason of the rules. */
export function waitingByReason(database: Database, filter: ShiftFilter): Promise<WaitingByReason[]> {
  const of = (table: 'deposit' | 'withdrawal', reasons: string) => Prisma.sql`
      SELECT ${Prisma.raw(reasons)} AS reasons FROM ${Prisma.raw(table)}
      WHERE status = 'under_review' AND ${reachSql(reachedIn(filter), 'operation_id')}`;
  return rowsOf<WaitingByReason>(
    database,
    Prisma.sql`
    SELECT code, count(*)::int AS waiting
    FROM (${of('deposit', 'review_reasons')} UNION ALL ${of('withdrawal', 'decision_reasons')}) AS waiting
    CROSS JOIN LATERAL unnest(reasons) AS code GROUP BY code`,
    'for_its_values',
  );
}

/** How many cases wait, and how many of them for longer than the time to decide. */
export async function waitingCases(
  database: Database,
  filter: ShiftFilter,
): Promise<{ readonly waiting: number; readonly overdue: number }> {
  const of = (table: 'deposit' | 'withdrawal') => Prisma.sql`
      SELECT review_since FROM ${Prisma.raw(table)}
      WHERE status = 'under_review' AND ${reachSql(reachedIn(filter), 'operation_id')}`;
  const [row] = await rowsOf<{ waiting: number; overdue: number }>(
    database,
    Prisma.sql`
    SELECT count(*)::int AS waiting,
      (count(*) FILTER (
        WHERE review_since <= now() - make_interval(secs => ${filter.decideWithinSeconds}::int)
      ))::int AS overdue
    FROM (${of('deposit')} UNION ALL ${of('withdrawal')}) AS waiting`,
    'for_its_values',
  );
  return row ?? { waiting: 0, overdue: 0 };
}

/** One row for each decision that was done: who, what, how long the payment had waited, and how it was decided last. */
function decidedSql(filter: ShiftFilter): Prisma.Sql {
  const of = (table: 'deposit' | 'withdrawal', reasons: string) => Prisma.sql`
      SELECT act.staff_handle AS person, act.subject_id AS id, split_part(act.kind, '.', 2) AS verb,
        extract(epoch FROM act.consumed_at - payment.review_since) AS seconds,
        payment.${Prisma.raw(reasons)} AS reasons, payment.decided_by -> -1 ->> 'decision' AS last_verb
      FROM staff_act AS act JOIN ${Prisma.raw(table)} AS payment ON payment.id = act.subject_id
      WHERE act.created_at >= ${filter.since} AND act.outcome = 'done' AND act.kind = ANY(${[...CASE_DECISIONS]}::text[])
        AND ${reachSql(reachedIn(filter), 'act.operation_id')}`;
  return Prisma.sql`${of('deposit', 'review_reasons')} UNION ALL ${of('withdrawal', 'decision_reasons')}`;
}

const MEDIAN = Prisma.sql`(percentile_cont(0.5) WITHIN GROUP (ORDER BY seconds))::float8`;

function reachedIn({ reach, operationId }: ShiftFilter): Reach {
  return operationId === null ? reach : isReached(reach, operationId) ? [operationId] : [];
}
