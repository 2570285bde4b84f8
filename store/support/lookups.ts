// Finds payments, requests and players by a text. Every statement uses an index. An id that is unique only within its
// operation is looked up in each operation in turn (there are few): a LATERAL join, which needs SQL.
import { depositIdOf, withdrawalIdOf } from '../../domain/identifiers.js';
import type { Reach } from '../../domain/staff.js';
import { Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';
import { reachSql } from '../reach-sql.js';
import { rowsOf } from '../statements.js';

/** A payment that was found. */
export interface PaymentMatch {
  readonly kind: 'deposit' | 'withdrawal';
  readonly id: string;
}

/** A player of an operation. */
export interface PlayerMatch {
  readonly operation_id: string;
  readonly external_ref: string;
  readonly known_since: Date;
}

/** An operator's request, as stored under its Idempotency-Key. */
export interface RequestMatch {
  readonly operation_id: string;
  readonly state: string;
  readonly response_status: number | null;
  /** The payment that it creates or acts on. */
  readonly object_id: string | null;
  readonly at: Date;
}

/** The kinds of text that name a payment. */
export type PaymentKey = 'end_to_end_id' | 'provider_reference' | 'external_id' | 'id_end' | 'amount';
/** The kinds of text that name a request. */
export type RequestKey = 'trace_id' | 'idempotency_key';

/**
 * The limit of a look-up. A value may be in many operations: the result is reduced to those within reach before the
 * limit applies.
 */
export interface ListLimits {
  readonly reach: Reach;
  readonly limit: number;
}

/** Payments of each kind and operation, latest changed first, that are looked through for what no index has. */
const LOOKED_THROUGH = 2_000;

/** What fits among the latest changed payments of each operation within reach. */
function newestSql(condition: Prisma.Sql, { reach, limit }: ListLimits): Prisma.Sql {
  const of = (kind: 'deposit' | 'withdrawal') => Prisma.sql`
      (SELECT ${kind} AS kind, id, updated_at FROM (
        SELECT id, amount_minor, updated_at FROM ${Prisma.raw(kind)} WHERE operation_id = operation.id
        ORDER BY updated_at DESC LIMIT ${LOOKED_THROUGH}
      ) AS newest WHERE ${condition})`;
  return Prisma.sql`
    SELECT found.kind, found.id FROM operation CROSS JOIN LATERAL (${of('deposit')} UNION ALL ${of('withdrawal')}) AS found
    WHERE ${reachSql(reach, 'operation.id')} ORDER BY found.updated_at DESC LIMIT ${limit}`;
}

/** The statement for each kind of text that names a payment, newest first. Exported for the test of the query plans. */
export const PAYMENT_LOOKUPS: Readonly<Record<PaymentKey, (value: string, cut: ListLimits) => Prisma.Sql>> = {
  external_id: (value, { reach, limit }) => Prisma.sql`
    SELECT found.kind, found.id FROM operation CROSS JOIN LATERAL (
      (SELECT 'deposit' AS kind, id, created_at FROM deposit
       WHERE operation_id = operation.id AND external_id = ${value} OFFSET 0)
      UNION ALL
      (SELECT 'withdrawal', id, created_at FROM withdrawal
       WHERE operation_id = operation.id AND external_id = ${value} OFFSET 0)
    ) AS found WHERE ${reachSql(reach, 'operation.id')} ORDER BY found.created_at DESC LIMIT ${limit}`,
  // A second payment on the same charge has no row: its alert names it.
  end_to_end_id: (value, { limit }) => Prisma.sql`
    SELECT kind, id FROM (
      SELECT 'deposit' AS kind, id FROM deposit WHERE end_to_end_id = ${value}
      UNION SELECT 'withdrawal', id FROM withdrawal WHERE psp_reference = ${value}
      UNION SELECT 'deposit', deposit_id FROM return_id WHERE return_id = ${value}
      UNION SELECT CASE WHEN starts_with(object_id, 'dep_') THEN 'deposit' ELSE 'withdrawal' END, object_id FROM alert
            WHERE occasion = ${value} AND (starts_with(object_id, 'dep_') OR starts_with(object_id, 'wdr_'))
    ) AS found LIMIT ${limit}`,
  provider_reference: (value, { limit }) => Prisma.sql`
    SELECT kind, id FROM (
      SELECT 'deposit' AS kind, id FROM deposit WHERE id = ${depositIdOf(value)}
      UNION SELECT 'withdrawal', id FROM withdrawal WHERE id = ${withdrawalIdOf(value)}
      UNION SELECT 'withdrawal', withdrawal_id FROM payout_send WHERE reference = ${value}
    ) AS found LIMIT ${limit}`,
  id_end: (value, cut) => newestSql(Prisma.sql`right(id, ${value.length}::int) = ${value}`, cut),
  // As text: what is looked for may be no number to Postgres.
  amount: (value, cut) => newestSql(Prisma.sql`amount_minor::text = ${value}`, cut),
};

const REQUEST = Prisma.sql`
  operation_id, state, response_status, coalesce(object_id, subject_id) AS object_id, locked_at AS at`;

/** The statement for each kind of text that names a request. */
export const REQUEST_LOOKUPS: Readonly<Record<RequestKey, (value: string, cut: ListLimits) => Prisma.Sql>> = {
  trace_id: (value, { reach, limit }) => Prisma.sql`
    SELECT ${REQUEST} FROM idempotency_key WHERE trace_ids @> ARRAY[${value}::text] AND ${reachSql(reach, 'operation_id')}
    ORDER BY locked_at DESC LIMIT ${limit}`,
  idempotency_key: (value, { reach, limit }) => Prisma.sql`
    SELECT found.* FROM operation CROSS JOIN LATERAL (
      SELECT ${REQUEST} FROM idempotency_key WHERE operation_id = operation.id AND key = ${value} OFFSET 0
    ) AS found WHERE ${reachSql(reach, 'operation.id')} ORDER BY found.at DESC LIMIT ${limit}`,
};

/** Its request is stored shortly before a payment, by another clock. */
const MADE_WITHIN_SECONDS = 60;
const MOST_TRACES = 5;

/** The traces of the request that made the payment, one for each attempt; none once the request is swept. */
export async function tracesOfPayment(
  database: Database,
  { id, operationId, createdAt }: { readonly id: string; readonly operationId: string; readonly createdAt: Date },
): Promise<readonly string[]> {
  const rows = await database.$queryRaw<{ trace_ids: string[] }[]>`
    SELECT trace_ids FROM idempotency_key
    WHERE created_at BETWEEN ${createdAt}::timestamptz - make_interval(secs => ${MADE_WITHIN_SECONDS}::int)
        AND ${createdAt}::timestamptz + make_interval(secs => ${MADE_WITHIN_SECONDS}::int)
      AND operation_id = ${operationId} AND object_id = ${id}
    LIMIT 1`;
  return (rows[0]?.trace_ids ?? []).slice(0, MOST_TRACES);
}

/** Players with this reference, in all operations within reach. */
export const playersLookup = (value: string, { reach, limit }: ListLimits): Prisma.Sql => Prisma.sql`
  SELECT found.* FROM operation CROSS JOIN LATERAL (
    SELECT operation_id, external_ref, created_at AS known_since FROM player
    WHERE operation_id = operation.id AND external_ref = ${value} OFFSET 0
  ) AS found WHERE ${reachSql(reach, 'operation.id')} ORDER BY found.known_since DESC LIMIT ${limit}`;

export function matchPayments(
  database: Database,
  kind: PaymentKey,
  value: string,
  cut: ListLimits,
): Promise<PaymentMatch[]> {
  return rowsOf<PaymentMatch>(database, PAYMENT_LOOKUPS[kind](value, cut));
}

export async function matchRequests(
  database: Database,
  kind: RequestKey,
  value: string,
  cut: ListLimits,
): Promise<RequestMatch[]> {
  const rows = await rowsOf<Omit<RequestMatch, 'at'> & { at: string }>(database, REQUEST_LOOKUPS[kind](value, cut));
  return rows.map((row) => ({ ...row, at: new Date(row.at) }));
}

export async function matchPlayers(database: Database, value: string, cut: ListLimits): Promise<PlayerMatch[]> {
  const rows = await rowsOf<Omit<PlayerMatch, 'known_since'> & { known_since: string }>(
    database,
    playersLookup(value, cut),
  );
  return rows.map((row) => ({ ...row, known_since: new Date(row.known_since) }));
}
