// Pages of deposits and withdrawals, newest first, by keyset: objects made while somebody pages never shift a page.
import { Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';
import { DEPOSIT_COLUMNS, type DepositRow } from '../deposits/rows.js';
import { rowOf } from '../statements.js';
import { WITHDRAWAL_COLUMNS, type WithdrawalRow } from '../withdrawals/rows.js';
import { type AdmittedRead, rowsOfRead } from '../authenticated-read.js';

export interface PaymentFilter {
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

/** One of the two lists. */
export interface PaymentList<Row> {
  /** The first page as it rides along with an admission; null where a cursor has to be looked up first. */
  firstPage(filter: PaymentFilter): AdmittedRead | null;
  /** A page of the operation's. `found`: its rows, where they are there already. */
  readPage(
    database: Database,
    operationId: string,
    filter: PaymentFilter,
    found?: readonly object[],
  ): Promise<PageRead<Row>>;
}

export const DEPOSIT_LIST: PaymentList<DepositRow> = listOf(Prisma.sql`deposit`, DEPOSIT_COLUMNS);
export const WITHDRAWAL_LIST: PaymentList<WithdrawalRow> = listOf(Prisma.sql`withdrawal`, WITHDRAWAL_COLUMNS);

function listOf<Row extends object>(table: Prisma.Sql, columns: Prisma.Sql): PaymentList<Row> {
  const pageAfter = (filter: PaymentFilter, before: string | undefined): AdmittedRead => ({
    // One row more than asked for tells whether there is a next page.
    of: (operationId) =>
      Prisma.sql`SELECT ${columns} FROM ${table} WHERE ${conditions(operationId, filter, before)} ORDER BY sequence DESC LIMIT ${filter.limit + 1}`,
    // A last update that a handful of rows follow needs another index than one that all rows follow.
    planning: filter.updatedSince === undefined ? 'once' : 'for_its_values',
  });
  const sequenceOf = (database: Database, operationId: string, id: string) =>
    rowOf<{ sequence: string }>(
      database,
      Prisma.sql`SELECT sequence FROM ${table} WHERE id = ${id} AND operation_id = ${operationId}`,
    );
  return {
    firstPage: (filter) => (filter.afterId === undefined ? pageAfter(filter, undefined) : null),
    async readPage(database, operationId, filter, found) {
      const { afterId, limit } = filter;
      const last = afterId === undefined ? undefined : await sequenceOf(database, operationId, afterId);
      if (last === null) return { kind: 'unknown_cursor' };
      const rows = await rowsOfRead<Row>(database, operationId, pageAfter(filter, last?.sequence), found);
      return { kind: 'page', rows: rows.slice(0, limit), hasMore: rows.length > limit };
    },
  };
}

/** The filter columns that both tables have. */
function conditions(
  operationId: Prisma.Sql,
  { externalId, playerRef, status, updatedSince }: PaymentFilter,
  before: string | undefined,
): Prisma.Sql {
  const all = [Prisma.sql`operation_id = ${operationId}`];
  if (externalId !== undefined) all.push(Prisma.sql`external_id = ${externalId}`);
  if (playerRef !== undefined) all.push(Prisma.sql`player_ref = ${playerRef}`);
  if (status !== undefined) all.push(Prisma.sql`status = ${status}`);
  if (updatedSince !== undefined) all.push(Prisma.sql`updated_at >= ${updatedSince.toISOString()}`);
  if (before !== undefined) all.push(Prisma.sql`sequence < ${before}`);
  return Prisma.join(all, ' AND ');
}
