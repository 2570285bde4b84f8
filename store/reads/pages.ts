// Pages of deposits and withdrawals, newest first, by keyset: objects made while somebody pages never shift a page.
import { Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../client.js';
import { DEPOSIT_COLUMNS, type DepositRow } from '../deposit-rows.js';
import { rowOf, rowsOf } from '../statements.js';
import { WITHDRAWAL_COLUMNS, type WithdrawalRow } from '../withdrawal-rows.js';

export interface PaymentFilter {
  readonly operationId: string;
  readonly externalId: string | undefined;
  readonly playerRef: string | undefined;
  readonly status: string | undefined;
  /** Objects updated at or after this time. */
  readonly updatedSince: Date | undefined;
  /** The last object of the page before. */
  readonly afterId: string | undefined;
  readonly limit: number;
}

export type PageRead<Row> =
  | { readonly kind: 'page'; readonly rows: readonly Row[]; readonly hasMore: boolean }
  /** `afterId` is no object of the operation. */
  | { readonly kind: 'unknown_cursor' };

/** A page of the operation's deposits. */
export function readDepositPage(database: Database, filter: PaymentFilter): Promise<PageRead<DepositRow>> {
  return readPage(database, filter, { table: Prisma.sql`deposit`, columns: DEPOSIT_COLUMNS });
}

/** A page of the operation's withdrawals. */
export function readWithdrawalPage(database: Database, filter: PaymentFilter): Promise<PageRead<WithdrawalRow>> {
  return readPage(database, filter, { table: Prisma.sql`withdrawal`, columns: WITHDRAWAL_COLUMNS });
}

interface Source {
  readonly table: Prisma.Sql;
  readonly columns: Prisma.Sql;
}

async function readPage<Row extends object>(database: Database, filter: PaymentFilter, { table, columns }: Source): Promise<PageRead<Row>> {
  const { operationId, afterId, updatedSince, limit } = filter;
  const last = afterId === undefined ? undefined : await rowOf<{ sequence: string }>(database, Prisma.sql`SELECT sequence FROM ${table} WHERE id = ${afterId} AND operation_id = ${operationId}`);
  if (last === null) return { kind: 'unknown_cursor' };
  // One row more than asked for tells whether there is a next page.
  const statement = Prisma.sql`SELECT ${columns} FROM ${table} WHERE ${conditions(filter, last?.sequence)} ORDER BY sequence DESC LIMIT ${limit + 1}`;
  // A last update that a handful of rows follow needs another index than one that all rows follow.
  const rows = await rowsOf<Row>(database, statement, updatedSince === undefined ? 'once' : 'for_its_values');
  return { kind: 'page', rows: rows.slice(0, limit), hasMore: rows.length > limit };
}

/** The filter columns that both tables have. */
function conditions({ operationId, externalId, playerRef, status, updatedSince }: PaymentFilter, before: string | undefined): Prisma.Sql {
  const all = [Prisma.sql`operation_id = ${operationId}`];
  if (externalId !== undefined) all.push(Prisma.sql`external_id = ${externalId}`);
  if (playerRef !== undefined) all.push(Prisma.sql`player_ref = ${playerRef}`);
  if (status !== undefined) all.push(Prisma.sql`status = ${status}`);
  if (updatedSince !== undefined) all.push(Prisma.sql`updated_at >= ${updatedSince.toISOString()}`);
  if (before !== undefined) all.push(Prisma.sql`sequence < ${before}`);
  return Prisma.join(all, ' AND ');
}
