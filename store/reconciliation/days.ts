// Reads of frozen days: the day, a page of its items, and its exceptions (SQL, because they are of two tables in one
// order).
import { type DayExceptionKind, millisecondsUntilClosed } from '../../domain/reconciliation.js';
import type { Prisma, ReconciliationDay } from '../../prisma/generated/client.js';
import { type Database, toBigInt } from '../database.js';
import { type Book, freezeDays } from './freeze.js';

export interface DayTotals {
  readonly depositsPaidMinor: bigint;
  readonly withdrawalsPaidMinor: bigint;
  readonly refundsMinor: bigint;
  readonly chargebacksMinor: bigint;
  readonly feesMinor: bigint;
  readonly count: number;
}

export interface FrozenDay {
  readonly totals: DayTotals;
  /** Lowercase hex SHA-256 of the day's canonical list. */
  readonly digest: string;
  readonly carriedCount: number;
  /** `null` for a day before the book begins, which is empty and has no row. */
  readonly frozenAt: Date | null;
}

export type DayRead =
  | { readonly kind: 'frozen'; readonly day: FrozenDay }
  | { readonly kind: 'day_open'; readonly untilClosedMs: number }
  /** The book is too far behind for this call to catch up; the next call continues. */
  | { readonly kind: 'catching_up' };

/** Statements that one read may use to catch up: years of days. */
const MOST_FREEZES_PER_READ = 24;

/** When to ask again for a day that is closed here, and not yet by the database's clock. */
const CLOCKS_AGREE_AFTER_MS = 1_000;

/** SHA-256 of `[]`. */
const DIGEST_OF_NOTHING = '4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945';
const EMPTY_DAY: FrozenDay = {
  totals: {
    depositsPaidMinor: 0n,
    withdrawalsPaidMinor: 0n,
    refundsMinor: 0n,
    chargebacksMinor: 0n,
    feesMinor: 0n,
    count: 0,
  },
  digest: DIGEST_OF_NOTHING,
  carriedCount: 0,
  frozenAt: null,
};

/**
 * A closed day. If the nightly day close has not reached it yet, it is frozen now, so that its answer never changes.
 */
export async function readDay(database: Database, book: Book, day: string, at: Date): Promise<DayRead> {
  const untilClosedMs = millisecondsUntilClosed(day, at);
  if (untilClosedMs > 0) return { kind: 'day_open', untilClosedMs };
  let nothingLeft = false;
  for (let freezes = 0; freezes <= MOST_FREEZES_PER_READ; freezes += 1) {
    const frozen = await frozenDay(database, book, day);
    if (frozen !== null) return { kind: 'frozen', day: frozen };
    // Read once more after the last freeze: another process may have frozen the day in the meantime.
    if (nothingLeft) return { kind: 'frozen', day: EMPTY_DAY };
    const outcome = await freezeDays(database, book, day, at);
    // By the database's clock, which is behind this process's.
    if (outcome.kind === 'day_open') return { kind: 'day_open', untilClosedMs: CLOCKS_AGREE_AFTER_MS };
    nothingLeft = outcome.kind === 'frozen' && outcome.caughtUp;
  }
  return { kind: 'catching_up' };
}

async function frozenDay(database: Database, { operationId, currency }: Book, day: string): Promise<FrozenDay | null> {
  const row = await database.reconciliationDay.findUnique({
    where: { operationId_currency_date: { operationId, currency, date: new Date(day) } },
  });
  if (row === null) return null;
  return {
    totals: {
      depositsPaidMinor: toBigInt(row.depositsPaidMinor),
      withdrawalsPaidMinor: toBigInt(row.withdrawalsPaidMinor),
      refundsMinor: toBigInt(row.refundsMinor),
      chargebacksMinor: toBigInt(row.chargebacksMinor),
      feesMinor: toBigInt(row.feesMinor),
      count: row.itemCount,
    },
    digest: row.digest,
    carriedCount: row.carriedCount,
    frozenAt: row.frozenAt,
  };
}

/** An item, as frozen and served. */
export interface FrozenItem {
  readonly object_id: string;
  readonly external_id: string;
  readonly kind: string;
  readonly status: string;
  readonly amount: { readonly amount: string; readonly currency: string };
  readonly fee: { readonly amount: string; readonly currency: string } | null;
  readonly settled_at: string;
}

/** Items of a frozen day after a position (0: from the first), in order. */
export async function readItems(
  database: Database,
  { operationId, currency }: Book,
  day: string,
  afterPosition: number,
  limit: number,
): Promise<FrozenItem[]> {
  const rows = await database.reconciliationItem.findMany({
    where: { operationId, currency, date: new Date(day), position: { gt: afterPosition } },
    orderBy: { position: 'asc' },
    take: limit,
    select: { body: true },
  });
  return rows.map(({ body }) => JSON.parse(body) as FrozenItem);
}

/** Frozen days of an operation, newest first, at most `take`; with `before`, those after it in that order. */
export function readFrozenDays(
  database: Database,
  {
    operationId,
    take,
    before,
  }: { operationId: string; take: number; before: { readonly date: Date; readonly currency: string } | null },
): Promise<ReconciliationDay[]> {
  return database.reconciliationDay.findMany({
    where: {
      operationId,
      ...(before === null
        ? {}
        : { OR: [{ date: { lt: before.date } }, { date: before.date, currency: { gt: before.currency } }] }),
    },
    orderBy: [{ date: 'desc' }, { currency: 'asc' }],
    take,
  });
}

/** Further facts that a person has to check besides a day's items. */
export interface DayException {
  readonly kind: DayExceptionKind;
  readonly objectId: string;
  readonly externalId: string;
  readonly amountMinor: bigint;
  /** When the money arrived, or when it settled. */
  readonly at: Date;
}

/** The exceptions of a UTC day, oldest first; `limit` bounds them. */
export async function readExceptions(
  database: Database,
  { operationId, currency }: Book,
  day: string,
  limit: number,
): Promise<DayException[]> {
  const rows = await database.$queryRaw<ExceptionRow[]>`
    SELECT 'late_payment' AS kind, deposit.id AS object_id, deposit.external_id,
      abs(entry.amount_minor) AS amount_minor, entry.created_at AS at
    FROM ledger_entry AS entry
    JOIN deposit ON deposit.id = entry.object_id AND deposit.operation_id = entry.operation_id
    WHERE entry.operation_id = ${operationId} AND entry.currency = ${currency}
      AND entry.account = 'suspense' AND entry.movement = 'late_payment_received'
      AND entry.created_at >= ${day}::date::timestamp AT TIME ZONE 'UTC'
      AND entry.created_at < (${day}::date + 1)::timestamp AT TIME ZONE 'UTC'
    UNION ALL
    SELECT 'carried_over', body::jsonb->>'object_id', body::jsonb->>'external_id',
      (body::jsonb->'amount'->>'amount')::numeric, (body::jsonb->>'settled_at')::timestamptz
    FROM reconciliation_item
    WHERE operation_id = ${operationId} AND currency = ${currency} AND date = ${day}::date
      AND body::jsonb->>'settled_at' < ${day}
    ORDER BY at, object_id LIMIT ${limit}`;
  return rows.map((row) => ({
    kind: row.kind,
    objectId: row.object_id,
    externalId: row.external_id,
    amountMinor: toBigInt(row.amount_minor),
    at: row.at,
  }));
}

interface ExceptionRow {
  readonly kind: DayException['kind'];
  readonly object_id: string;
  readonly external_id: string;
  readonly amount_minor: Prisma.Decimal;
  readonly at: Date;
}
