// Which rows a text leads to. Every statement goes by an index: what is unique within an operation is looked for in one
// operation after the other, of which there are few; nothing reads a table of payments from end to end.
import { depositIdOf, withdrawalIdOf } from '../../domain/identifiers.js';
import { Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../../store/database.js';
import { rowsOf } from '../../store/statements.js';
import type { TextKind } from './find-texts.js';

/** A payment that a text leads to. */
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

/** A request of an operator, as its Idempotency-Key keeps it. */
export interface RequestMatch {
  readonly operation_id: string;
  readonly state: string;
  readonly response_status: number | null;
  /** The payment that it makes, or acts on. */
  readonly object_id: string | null;
  readonly at: Date;
}

type PaymentKind = Extract<TextKind, 'end_to_end_id' | 'provider_reference' | 'external_id'>;
type RequestKind = Extract<TextKind, 'trace_id' | 'idempotency_key'>;

/** The statement behind each kind of text that names a payment, newest first. Exported for the test of their plans. */
export const PAYMENT_LOOKUPS: Readonly<Record<PaymentKind, (value: string, limit: number) => Prisma.Sql>> = {
  external_id: (value, limit) => Prisma.sql`
    SELECT found.kind, found.id FROM operation CROSS JOIN LATERAL (
      (SELECT 'deposit' AS kind, id, created_at FROM deposit
       WHERE operation_id = operation.id AND external_id = ${value} OFFSET 0)
      UNION ALL
      (SELECT 'withdrawal', id, created_at FROM withdrawal
       WHERE operation_id = operation.id AND external_id = ${value} OFFSET 0)
    ) AS found ORDER BY found.created_at DESC LIMIT ${limit}`,
  // An extra payment on a charge is no payment of its own: its alert names it.
  end_to_end_id: (value, limit) => Prisma.sql`
    SELECT kind, id FROM (
      SELECT 'deposit' AS kind, id FROM deposit WHERE end_to_end_id = ${value}
      UNION SELECT 'withdrawal', id FROM withdrawal WHERE psp_reference = ${value}
      UNION SELECT 'deposit', deposit_id FROM return_id WHERE return_id = ${value}
      UNION SELECT CASE WHEN starts_with(object_id, 'dep_') THEN 'deposit' ELSE 'withdrawal' END, object_id FROM alert
            WHERE occasion = ${value} AND (starts_with(object_id, 'dep_') OR starts_with(object_id, 'wdr_'))
    ) AS found LIMIT ${limit}`,
  provider_reference: (value, limit) => Prisma.sql`
    SELECT kind, id FROM (
      SELECT 'deposit' AS kind, id FROM deposit WHERE id = ${depositIdOf(value)}
      UNION SELECT 'withdrawal', id FROM withdrawal WHERE id = ${withdrawalIdOf(value)}
      UNION SELECT 'withdrawal', withdrawal_id FROM payout_send WHERE reference = ${value}
    ) AS found LIMIT ${limit}`,
};

const REQUEST = Prisma.sql`
  operation_id, state, response_status, coalesce(object_id, subject_id) AS object_id, locked_at AS at`;

/** The same for texts that name a request. */
export const REQUEST_LOOKUPS: Readonly<Record<RequestKind, (value: string, limit: number) => Prisma.Sql>> = {
  trace_id: (value, limit) => Prisma.sql`
    SELECT ${REQUEST} FROM idempotency_key WHERE trace_ids @> ARRAY[${value}::text]
    ORDER BY locked_at DESC LIMIT ${limit}`,
  idempotency_key: (value, limit) => Prisma.sql`
    SELECT found.* FROM operation CROSS JOIN LATERAL (
      SELECT ${REQUEST} FROM idempotency_key WHERE operation_id = operation.id AND key = ${value} OFFSET 0
    ) AS found ORDER BY found.at DESC LIMIT ${limit}`,
};

/** Players of that reference, over all operations. */
export const playersLookup = (value: string, limit: number): Prisma.Sql => Prisma.sql`
  SELECT found.* FROM operation CROSS JOIN LATERAL (
    SELECT operation_id, external_ref, created_at AS known_since FROM player
    WHERE operation_id = operation.id AND external_ref = ${value} OFFSET 0
  ) AS found ORDER BY found.known_since DESC LIMIT ${limit}`;

export function matchPayments(
  database: Database,
  kind: PaymentKind,
  value: string,
  limit: number,
): Promise<PaymentMatch[]> {
  return rowsOf<PaymentMatch>(database, PAYMENT_LOOKUPS[kind](value, limit));
}

export async function matchRequests(
  database: Database,
  kind: RequestKind,
  value: string,
  limit: number,
): Promise<RequestMatch[]> {
  const rows = await rowsOf<Omit<RequestMatch, 'at'> & { at: string }>(database, REQUEST_LOOKUPS[kind](value, limit));
  return rows.map((row) => ({ ...row, at: new Date(row.at) }));
}

export async function matchPlayers(database: Database, value: string, limit: number): Promise<PlayerMatch[]> {
  const rows = await rowsOf<Omit<PlayerMatch, 'known_since'> & { known_since: string }>(
    database,
    playersLookup(value, limit),
  );
  return rows.map((row) => ({ ...row, known_since: new Date(row.known_since) }));
}
