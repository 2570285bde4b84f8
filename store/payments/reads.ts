// The reads that deposits and withdrawals have alike: one of them, pages, and a player's sums of both. Pages are newest
// first, by keyset: new objects never shift a page. Hot reads, so SQL by the driver (statements.ts).
import { Prisma } from '../../prisma/generated/client.js';
import { type AuthenticatedRead, rowOf, rowsOfRead } from '../statements.js';
import type { Database } from '../database.js';

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

/** The reads of one of the two tables. Every row is the operation's that asks. */
export interface PaymentReads<Row> {
  /** The payment with this id, as a read within authentication. */
  byId(id: string): AuthenticatedRead;
  /** The payment with this id; `null` if there is none. `found`: its row, if it was read during authentication. */
  find(database: Database, operationId: string, id: string, found?: readonly object[]): Promise<Row | null>;
  /** The payment with this `external_id`; `null` if there is none. */
  findOfExternalId(database: Database, operationId: string, externalId: string): Promise<Row | null>;
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

/** The reads of a table, which give these columns. */
export function readsOf<Row extends object>(table: Prisma.Sql, columns: Prisma.Sql): PaymentReads<Row> {
  const byId = (id: string): AuthenticatedRead => ({
    of: (operationId) => Prisma.sql`SELECT ${columns} FROM ${table} WHERE id = ${id} AND operation_id = ${operationId}`,
    planning: 'once',
  });
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
    byId,
    async find(database, operationId, id, found) {
      return (await rowsOfRead<Row>(database, operationId, byId(id), found))[0] ?? null;
    },
    findOfExternalId: (database, operationId, externalId) =>
      rowOf(
        database,
        Prisma.sql`
      SELECT ${columns} FROM ${table} WHERE operation_id = ${operationId} AND external_id = ${externalId}`,
      ),
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

export interface PlayerTotals {
  /** The sum of settled deposits. */
  readonly depositedMinor: bigint;
  /** The sum of settled withdrawals. */
  readonly withdrawnMinor: bigint;
  /** The sum of withdrawals that count: settled and open ones. */
  readonly committedMinor: bigint;
}

/**
 * The amounts that a player has deposited and withdrawn in an operation and a currency, from the kept sums; `null` for
 * a player who never transacted in the operation. One statement, so that the sums are consistent.
 */
export function readPlayerTotals(
  database: Database,
  operationId: string,
  externalRef: string,
  currency: string,
): Promise<PlayerTotals | null> {
  return rowOf<PlayerTotals>(
    database,
    Prisma.sql`
      SELECT coalesce(max(settled_minor) FILTER (WHERE kind = 'deposit'), 0) AS "depositedMinor",
        coalesce(max(settled_minor) FILTER (WHERE kind = 'withdrawal'), 0) AS "withdrawnMinor",
        coalesce(max(counted_minor) FILTER (WHERE kind = 'withdrawal'), 0) AS "committedMinor"
      FROM player
      LEFT JOIN player_sum ON player_sum.operation_id = player.operation_id
        AND player_sum.player_ref = player.external_ref AND player_sum.currency = ${currency}
      WHERE player.operation_id = ${operationId} AND player.external_ref = ${externalRef}
      GROUP BY player.operation_id, player.external_ref`,
  );
}
