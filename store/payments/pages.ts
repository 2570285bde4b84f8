// Pages of deposits and withdrawals, newest first, by keyset: new objects never shift a page. Hot reads, so SQL by the
// driver (statements.ts).
import { Prisma } from '../../prisma/generated/client.js';
import { type AuthenticatedRead, rowsOfRead } from '../authenticated-read.js';
import type { Database } from '../database.js';
import { rowOf } from '../statements.js';

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
  /** The first page as a read within authentication; null if a cursor has to be looked up first. */
  firstPage(filter: PaymentFilter): AuthenticatedRead | null;
  /** A page of the operation's objects. `found`: its rows, if they were read during authentication. */
  readPage(
    database: Database,
    operationId: string,
    filter: PaymentFilter,
    found?: readonly object[],
  ): Promise<PageRead<Row>>;
}

/** The list of a table that has both tables' filter columns. */
export function listOf<Row extends object>(table: Prisma.Sql, columns: Prisma.Sql): PaymentList<Row> {
  const pageAfter = (filter: PaymentFilter, before: string | undefined): AuthenticatedRead => ({
    // One row more than requested shows whether there is a next page.
    of: (operationId) => Prisma.sql`
      SELECT ${columns} FROM ${table}
      WHERE ${conditions(operationId, filter, before)}
      ORDER BY sequence DESC LIMIT ${filter.limit + 1}`,
    // The best index depends on how many rows were updated since that time.
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

/** The conditions on the columns that both tables have. */
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
