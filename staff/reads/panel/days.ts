// An operation's closed days, newest first, and what people have to check for one day.
import type { Answering, Asked } from '../../../contract/panel/routes.js';
import { toMoney } from '../../../domain/money.js';
import type { ReconciliationDay } from '../../../prisma/generated/client.js';
import { type Database, toBigInt } from '../../../store/database.js';
import { operationExists } from '../../../store/operations/operations.js';
import { readExceptions, readFrozenDays } from '../../../store/reconciliation/days.js';
import { sees, type Viewer } from '../../viewer.js';
import { readOperationPage } from './operation-page.js';

const MOST_EXCEPTIONS = 200;

/** `null` if there is no such operation, or the viewer may not see it. */
export function readDayPage(
  database: Database,
  viewer: Viewer,
  operationId: string,
  { cursor }: Asked<'readDays'>['query'],
): Promise<Answering<'readDays'> | 'bad_cursor' | null> {
  return readOperationPage(
    database,
    viewer,
    { operationId, cursor },
    {
      pageSize: 31,
      read: (take, after) =>
        readFrozenDays(database, {
          operationId,
          take,
          before: after && { date: after.at, currency: after.key },
        }),
      placeOf: (row) => ({ at: row.date, key: row.currency }),
      present,
    },
  );
}

function present(row: ReconciliationDay) {
  const { currency } = row;
  return {
    day: row.date.toISOString().slice(0, 10),
    currency,
    items: row.itemCount,
    carried_over: row.carriedCount,
    deposits_paid: toMoney(toBigInt(row.depositsPaidMinor), currency),
    withdrawals_paid: toMoney(toBigInt(row.withdrawalsPaidMinor), currency),
    refunds: toMoney(toBigInt(row.refundsMinor), currency),
    chargebacks: toMoney(toBigInt(row.chargebacksMinor), currency),
    fees: toMoney(toBigInt(row.feesMinor), currency),
    digest: row.digest,
    frozen_at: row.frozenAt,
  };
}

/** `null` as for the list. A day that is not closed has none yet. */
export async function readExceptionsOfDay(
  database: Database,
  viewer: Viewer,
  { operation: operationId, day, currency }: Asked<'readDayExceptions'>['params'],
): Promise<Answering<'readDayExceptions'> | null> {
  if (!sees(viewer, operationId) || !(await operationExists(database, operationId))) return null;
  const found = await readExceptions(database, { operationId, currency }, day, MOST_EXCEPTIONS + 1);
  return {
    items: found.slice(0, MOST_EXCEPTIONS).map(({ kind, objectId, amountMinor, at }) => ({
      kind,
      payment_id: objectId,
      amount: toMoney(amountMinor, currency),
      at,
    })),
    more: found.length > MOST_EXCEPTIONS,
  };
}
