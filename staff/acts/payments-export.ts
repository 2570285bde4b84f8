// A filtered list of payments as a file, up to a limit. The audit trail has it before the person does: by which
// filters.
import type { Asked } from '../../contract/panel/routes.js';
import { appendAudit } from '../../store/audit/audit.js';
import type { Database } from '../../store/database.js';
import { operationExists } from '../../store/operations/operations.js';
import { type ListPlace, type PaymentFilter, readPaymentList } from '../../store/support/payment-list.js';
import { takeToken } from '../../store/rate-buckets.js';
import type { Export } from './export.js';
import { operationOf } from '../reads/panel/payment.js';
import { filterOf, shownPayment } from '../reads/panel/payment-list.js';
import { sees, type Viewer } from '../viewer.js';
import { csvLines } from './csv.js';

/** Rows of one file; who needs more narrows the days. */
const MOST_ROWS = 10_000;
/** Pages that are read for one file: a rare filter reads much and finds little. */
const MOST_PAGES = 200;
const ROWS_AT_ONCE = 500;
const RATE = { perSecond: 1 / 60, burst: 10 } as const;

const COLUMNS = [
  'id',
  'kind',
  'status',
  'amount_minor',
  'currency',
  'player_ref',
  'external_id',
  'provider',
  'reasons',
  'created_at',
  'updated_at',
] as const;

export async function exportPayments(
  database: Database,
  viewer: Viewer,
  operationId: string,
  asked: Asked<'exportPayments'>['query'],
): Promise<Export> {
  if (!sees(viewer, operationId) || !(await operationExists(database, operationId))) return { kind: 'not_found' };
  const retryAfterSeconds = await takeToken(database, `payments_export:${viewer.handle}`, RATE);
  if (retryAfterSeconds > 0) return { kind: 'rate_limited', retryAfterSeconds };
  const { time_zone: timeZone } = await operationOf(database, operationId);
  const act = { person: viewer, action: 'payments.download', operationId, subject: null } as const;
  await appendAudit(database, { ...act, detail: { ...asked } });
  return { kind: 'exported', text: csvOf(database, filterOf(operationId, timeZone, asked)) };
}

async function* csvOf(database: Database, filter: PaymentFilter) {
  yield csvLines([COLUMNS], true);
  let place: ListPlace | null = null;
  for (let page = 0, count = 0; page < MOST_PAGES && count < MOST_ROWS; page += 1) {
    const found = await readPaymentList(database, filter, place, ROWS_AT_ONCE);
    if (found.rows.length > 0) yield csvLines(found.rows.map((row) => cellsOf(shownPayment(row))));
    count += found.rows.length;
    place = found.next;
    if (place === null) return;
  }
}

function cellsOf(payment: ReturnType<typeof shownPayment>): string[] {
  const { id, kind, status, amount, player_ref, external_id, provider, reasons, created_at, updated_at } = payment;
  const codes = reasons.join(' ');
  return [
    id,
    kind,
    status,
    amount.amount,
    amount.currency,
    player_ref,
    external_id,
    provider,
    codes,
    created_at,
    updated_at,
  ];
}
