// The review queue: pages of payments that wait for a person, the most urgent first. It is one statement. The partial
// indexes hold the sort keys, so only the page's own payments are read.
import type { ReviewDecision } from '../../domain/payments/deposit.js';
import type { Reach } from '../../domain/staff.js';
import { Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';
import { reachSql } from '../reach-sql.js';
import { rowsOf } from '../statements.js';

export interface QueueFilter {
  readonly reach: Reach;
  readonly operationId: string | null;
  readonly kind: 'deposit' | 'withdrawal' | null;
  /** A rule's code. */
  readonly reason: string | null;
  readonly leastMinor: bigint | null;
  /** By the work on them; `null`: all but those that wait. */
  readonly work: 'mine' | 'escalated' | 'asked' | 'snoozed' | null;
  /** Whose `mine` are. */
  readonly person: string;
}

/** `urgency`: money × age. */
export type QueueSort = 'urgency' | 'age' | 'amount';

/** The last row of the page before. */
export interface QueuePlace {
  readonly score: string;
  readonly id: string;
}

export interface QueueRow {
  readonly kind: 'deposit' | 'withdrawal';
  readonly id: string;
  /** The exact sort key. */
  readonly score: string;
  readonly operationId: string;
  readonly operationName: string;
  readonly externalId: string;
  readonly playerRef: string;
  readonly version: number;
  readonly amountMinor: bigint;
  readonly paidAmountMinor: bigint | null;
  readonly currency: string;
  readonly reasons: readonly string[];
  /** RFC 3339. */
  readonly since: string;
  readonly decidedBy: readonly ReviewDecision[];
  /** `null` for deposits. */
  readonly requestSealed: Buffer | null;
  readonly claimedBy: string | null;
  readonly claimedUntil: string | null;
  readonly assignedTo: string | null;
  readonly snoozedUntil: string | null;
  readonly isEscalated: boolean | null;
  readonly isAsked: boolean | null;
}

export interface QueueOrder extends QueueFilter {
  readonly sort: QueueSort;
  /** Ages count until then (RFC 3339): the pages of one list are sorted by the same. */
  readonly asOf: string;
  /** `null` for the first page. */
  readonly after: QueuePlace | null;
  readonly take: number;
}

/** At most `take` payments under review. */
export function readQueuePage(database: Database, order: QueueOrder): Promise<QueueRow[]> {
  return rowsOf<QueueRow>(database, queuePageSql(order), 'for_its_values');
}

/** Exported for the test of the query plan. */
export function queuePageSql({ sort, asOf, after, take, ...filter }: QueueOrder): Prisma.Sql {
  const beyond = after === null ? Prisma.sql`TRUE` : Prisma.sql`(score, id) < (${after.score}::numeric, ${after.id})`;
  return Prisma.sql`
    WITH waiting AS (
      ${Prisma.join(waitingSql(filter), ' UNION ALL ')}
    ), page AS (
      SELECT kind, id, review_since, score
      FROM (SELECT waiting.*, ${scoreSql(sort, asOf)} AS score FROM waiting) AS scored
      WHERE ${beyond} ORDER BY score DESC, id DESC LIMIT ${take}
    )
    SELECT page.kind, page.id, page.score::text AS score, payment.*, page.review_since AS since,
      operation.name AS "operationName", claim.staff_handle AS "claimedBy", claim.expires_at AS "claimedUntil",
      work.assigned_to AS "assignedTo", work.snoozed_until AS "snoozedUntil", work.is_escalated AS "isEscalated",
      work.is_asked AS "isAsked"
    FROM page
    CROSS JOIN LATERAL (
      SELECT operation_id AS "operationId", external_id AS "externalId", player_ref AS "playerRef", version,
        amount_minor AS "amountMinor", paid_amount_minor AS "paidAmountMinor", currency, review_reasons AS reasons,
        decided_by AS "decidedBy", NULL::bytea AS "requestSealed"
      FROM deposit WHERE page.kind = 'deposit' AND deposit.id = page.id
      UNION ALL
      SELECT operation_id, external_id, player_ref, version, amount_minor, NULL, currency, decision_reasons, decided_by,
        request_sealed
      FROM withdrawal WHERE page.kind = 'withdrawal' AND withdrawal.id = page.id
    ) AS payment
    JOIN operation ON operation.id = payment."operationId"
    LEFT JOIN case_work AS work ON work.payment_id = page.id
    LEFT JOIN review_claim AS claim ON claim.payment_id = page.id AND claim.expires_at > now()
    ORDER BY page.score DESC, page.id DESC`;
}

const TABLES = {
  deposit: { reasons: 'review_reasons', money: 'coalesce(paid_amount_minor, amount_minor)' },
  withdrawal: { reasons: 'decision_reasons', money: 'amount_minor' },
} as const;

function waitingSql({ reach, operationId, kind, reason, leastMinor, ...work }: QueueFilter): Prisma.Sql[] {
  const kinds = kind === null ? (['deposit', 'withdrawal'] as const) : [kind];
  return kinds.map((table) => {
    const { reasons, money } = TABLES[table];
    const conditions = [
      Prisma.sql`status = 'under_review'`,
      reachSql(reach, 'operation_id'),
      ...(operationId === null ? [] : [Prisma.sql`operation_id = ${operationId}`]),
      ...(reason === null ? [] : [Prisma.sql`${Prisma.raw(reasons)} @> ARRAY[${reason}]::text[]`]),
      workSql(work, Prisma.raw(`${table}.id`)),
      ...(leastMinor === null ? [] : [Prisma.sql`${Prisma.raw(money)} >= ${leastMinor}::numeric`]),
    ];
    return Prisma.sql`
      SELECT ${table} AS kind, id, ${Prisma.raw(money)} AS money, review_since
      FROM ${Prisma.raw(table)} WHERE ${Prisma.join(conditions, ' AND ')}`;
  });
}

/** Which cases, by the work on them. */
function workSql({ work, person }: Pick<QueueFilter, 'work' | 'person'>, id: Prisma.Sql): Prisma.Sql {
  const ofCase = Prisma.sql`SELECT FROM case_work WHERE payment_id = ${id}`;
  switch (work) {
    case null:
      return Prisma.sql`NOT EXISTS (${ofCase} AND snoozed_until > now())`;
    case 'mine':
      return Prisma.sql`EXISTS (${ofCase} AND assigned_to = ${person})`;
    case 'asked':
      return Prisma.sql`EXISTS (${ofCase} AND is_asked)`;
    case 'escalated':
      return Prisma.sql`EXISTS (${ofCase} AND is_escalated)`;
    case 'snoozed':
      return Prisma.sql`EXISTS (${ofCase} AND snoozed_until > now())`;
  }
}

/** A payment that came after `asOf` counts as new. */
function scoreSql(sort: QueueSort, asOf: string): Prisma.Sql {
  const age = Prisma.sql`greatest(extract(epoch FROM ${asOf}::timestamptz - review_since), 0.001)`;
  const scores: Readonly<Record<QueueSort, Prisma.Sql>> = {
    urgency: Prisma.sql`money * ${age}`,
    age,
    amount: Prisma.sql`money`,
  };
  return scores[sort];
}
