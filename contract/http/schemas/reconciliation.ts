// The daily report (specification, "Reconciliation").
import { z } from 'zod';
import { currencyCode, money, cursor, limit, calendarDate, timestamp } from './fields.js';

export const reconciliationQuery = z.object({
  date: calendarDate.meta({ description: 'A UTC day.' }),
  currency: currencyCode,
  cursor: cursor.optional(),
  limit,
});

const item = z
  .object({
    object_id: z.string(),
    external_id: z.string(),
    kind: z.enum(['deposit', 'withdrawal', 'refund', 'chargeback', 'fee', 'return', 'recall', 'receipt']),
    status: z.string(),
    amount: money,
    fee: money.nullable(),
    settled_at: timestamp,
  })
  .meta({ id: 'ReconciliationItem' });

const totals = z
  .object({
    deposits_paid: money,
    withdrawals_paid: money,
    refunds: money,
    chargebacks: money,
    fees: money,
    count: z.int(),
  })
  .meta({ id: 'ReconciliationTotals' });

export const reconciliation = z
  .object({
    date: calendarDate,
    currency: z.string(),
    items: z.array(item),
    next_cursor: z.string().nullable(),
    totals: totals.nullable().meta({ description: 'On the last page only.' }),
    digest: z.string().nullable().meta({ description: 'SHA-256 of the day’s canonical list; on the last page only.' }),
  })
  .meta({ id: 'Reconciliation' });
