// Pages of deposits and withdrawals, newest first, by keyset: objects made while somebody pages never shift a page.
import type { Prisma, Deposit, Withdrawal } from '../../prisma/generated/client.js';
import type { Database } from '../client.js';

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

type Sequence = Promise<{ sequence: bigint } | null>;

/** A page of the operation's deposits. */
export function readDepositPage(database: Database, filter: PaymentFilter): Promise<PageRead<Deposit>> {
  return readPage(filter, {
    sequenceOf: (id) => database.deposit.findFirst({ where: { id, operationId: filter.operationId }, select: { sequence: true } }),
    rows: (where, take) => database.deposit.findMany({ where, orderBy: { sequence: 'desc' }, take }),
  });
}

/** A page of the operation's withdrawals. */
export function readWithdrawalPage(database: Database, filter: PaymentFilter): Promise<PageRead<Withdrawal>> {
  return readPage(filter, {
    sequenceOf: (id) => database.withdrawal.findFirst({ where: { id, operationId: filter.operationId }, select: { sequence: true } }),
    rows: (where, take) => database.withdrawal.findMany({ where, orderBy: { sequence: 'desc' }, take }),
  });
}

/** The filter columns that both tables have. */
type Conditions = Pick<Prisma.DepositWhereInput & Prisma.WithdrawalWhereInput, 'operationId' | 'externalId' | 'playerRef' | 'status' | 'updatedAt' | 'sequence'>;

interface Source<Row> {
  sequenceOf(id: string): Sequence;
  rows(where: Conditions, take: number): Promise<Row[]>;
}

async function readPage<Row>(filter: PaymentFilter, source: Source<Row>): Promise<PageRead<Row>> {
  const last = filter.afterId === undefined ? undefined : await source.sequenceOf(filter.afterId);
  if (last === null) return { kind: 'unknown_cursor' };
  // One row more than asked for tells whether there is a next page.
  const rows = await source.rows(conditions(filter, last?.sequence), filter.limit + 1);
  return { kind: 'page', rows: rows.slice(0, filter.limit), hasMore: rows.length > filter.limit };
}

function conditions(filter: PaymentFilter, before: bigint | undefined): Conditions {
  const { operationId, externalId, playerRef, status, updatedSince } = filter;
  return {
    operationId,
    ...(externalId === undefined ? {} : { externalId }),
    ...(playerRef === undefined ? {} : { playerRef }),
    ...(status === undefined ? {} : { status }),
    ...(updatedSince === undefined ? {} : { updatedAt: { gte: updatedSince } }),
    ...(before === undefined ? {} : { sequence: { lt: before } }),
  };
}
