// An operation's payments by filters, the latest change first, in pages. SQL, because each page reads a bounded part of
// two indexes, however rare what is looked for.
import { Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';
import { rowsOf } from '../statements.js';

/** Payments of each kind that one page reads at most. A rarer filter goes on with the next page. */
export const MOST_SCANNED = 5_000;

export interface PaymentFilter {
  readonly operationId: string;
  readonly kind: 'deposit' | 'withdrawal' | null;
  readonly status: string | null;
  readonly playerRef: string | null;
  readonly provider: string | null;
  readonly reason: string | null;
  readonly leastMinor: bigint | null;
  readonly mostMinor: bigint | null;
  /** Days of the last change in the time zone, both included. */
  readonly from: string | null;
  readonly to: string | null;
  readonly timeZone: string;
}

/** A place in the list: after it come the earlier changes. */
export interface ListPlace {
  readonly updatedAt: string;
  readonly id: string;
}

export interface ListedPayment extends ListPlace {
  readonly kind: 'deposit' | 'withdrawal';
  readonly externalId: string;
  readonly playerRef: string;
  readonly provider: string;
  readonly status: string;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly reasons: readonly string[];
  readonly createdAt: string;
}

export interface PaymentList {
  readonly rows: readonly ListedPayment[];
  /** Where the next page begins; null: there is nothing more. */
  readonly next: ListPlace | null;
}

export async function readPaymentList(
  database: Database,
  filter: PaymentFilter,
  after: ListPlace | null,
  take: number,
): Promise<PaymentList> {
  // Each filter has its best plan.
  const rows = await rowsOf<ListedPayment & { readonly floor: ListPlace | null; readonly is_hit: boolean }>(
    database,
    paymentListSql(filter, after, take + 1),
    'for_its_values',
  );
  const hits = rows.filter(({ is_hit: isHit }) => isHit);
  const shown = hits.slice(0, take);
  const last = hits.length > take ? shown.at(-1) : undefined;
  const next = last ?? rows[0]?.floor ?? null;
  return { rows: shown, next: next === null ? null : { updatedAt: next.updatedAt, id: next.id } };
}

/**
 * The rows that fit, each with `floor`: where the reading ended because it was enough; null if it came to the end. One
 * row without a payment says the floor where nothing fits. Exported for the test of the query plans.
 */
export function paymentListSql(filter: PaymentFilter, after: ListPlace | null, take: number): Prisma.Sql {
  const kinds = filter.kind === null ? (['deposit', 'withdrawal'] as const) : [filter.kind];
  const scans = kinds.map((kind) => Prisma.sql`(${scanSql(kind, filter, after)})`);
  return Prisma.sql`
    WITH scanned AS MATERIALIZED (${Prisma.join(scans, ' UNION ALL ')}),
    ends AS (
      SELECT updated_at, id FROM (
        SELECT DISTINCT ON (kind) kind, updated_at, id, count(*) OVER (PARTITION BY kind) AS number
        FROM scanned ORDER BY kind, updated_at, id
      ) AS last WHERE number = ${MOST_SCANNED}
    ),
    floor AS (SELECT updated_at, id FROM ends ORDER BY updated_at DESC, id DESC LIMIT 1),
    hits AS (
      SELECT scanned.* FROM scanned LEFT JOIN floor ON TRUE
      WHERE ${fitsSql(filter)}
        AND (floor.id IS NULL OR (scanned.updated_at, scanned.id) >= (floor.updated_at, floor.id))
      ORDER BY scanned.updated_at DESC, scanned.id DESC LIMIT ${take}
    )
    SELECT hits.kind, hits.id, hits.external_id AS "externalId", hits.player_ref AS "playerRef", hits.provider,
      hits.status, hits.amount_minor AS "amountMinor", hits.currency, hits.reasons, hits.created_at AS "createdAt",
      hits.updated_at AS "updatedAt", hits.id IS NOT NULL AS is_hit,
      CASE WHEN floor.id IS NULL THEN NULL
        ELSE json_build_object('updatedAt', to_char(floor.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'id', floor.id) END AS floor
    FROM (SELECT 1) AS one LEFT JOIN floor ON TRUE LEFT JOIN hits ON TRUE
    ORDER BY hits.updated_at DESC NULLS LAST, hits.id DESC`;
}

function scanSql(
  kind: 'deposit' | 'withdrawal',
  { operationId, playerRef, from, to, timeZone }: PaymentFilter,
  after: ListPlace | null,
): Prisma.Sql {
  const reasons = Prisma.raw(kind === 'deposit' ? 'review_reasons' : 'decision_reasons');
  const conditions = [
    Prisma.sql`operation_id = ${operationId}`,
    ...(playerRef === null ? [] : [Prisma.sql`player_ref = ${playerRef}`]),
    ...(from === null ? [] : [Prisma.sql`updated_at >= ${from}::date::timestamp AT TIME ZONE ${timeZone}`]),
    ...(to === null ? [] : [Prisma.sql`updated_at < (${to}::date + 1)::timestamp AT TIME ZONE ${timeZone}`]),
    ...(after === null ? [] : [Prisma.sql`(updated_at, id) < (${after.updatedAt}::timestamptz, ${after.id})`]),
  ];
  return Prisma.sql`
    SELECT ${kind} AS kind, id, external_id, player_ref, provider, status, amount_minor, currency,
      ${reasons} AS reasons, created_at, updated_at
    FROM ${Prisma.raw(kind)} WHERE ${Prisma.join(conditions, ' AND ')}
    ORDER BY updated_at DESC, id DESC LIMIT ${MOST_SCANNED}`;
}

function fitsSql({ status, provider, reason, leastMinor, mostMinor }: PaymentFilter): Prisma.Sql {
  const conditions = [
    Prisma.sql`TRUE`,
    ...(status === null ? [] : [Prisma.sql`scanned.status = ${status}`]),
    ...(provider === null ? [] : [Prisma.sql`scanned.provider = ${provider}`]),
    ...(reason === null ? [] : [Prisma.sql`${reason} = ANY(scanned.reasons)`]),
    ...(leastMinor === null ? [] : [Prisma.sql`scanned.amount_minor >= ${leastMinor}::numeric`]),
    ...(mostMinor === null ? [] : [Prisma.sql`scanned.amount_minor <= ${mostMinor}::numeric`]),
  ];
  return Prisma.join(conditions, ' AND ');
}
