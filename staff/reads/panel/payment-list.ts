// The list of an operation's payments, in pages.
import type { Answering, Asked } from '../../../contract/panel/routes.js';
import { limitMinor, toMoney } from '../../../domain/money.js';
import type { Database } from '../../../store/database.js';
import { operationExists } from '../../../store/operations/operations.js';
import {
  type ListedPayment,
  type ListPlace,
  type PaymentFilter,
  readPaymentList,
} from '../../../store/support/payment-list.js';
import { sees, type Viewer } from '../../viewer.js';
import { readCursor, writeCursor } from './cursor.js';
import { operationOf } from './payment.js';

const PAGE_SIZE = 50;

/** `null` if there is no such operation, or the viewer may not see it. */
export async function readPayments(
  database: Database,
  viewer: Viewer,
  operationId: string,
  { cursor, ...asked }: Asked<'readPayments'>['query'],
): Promise<Answering<'readPayments'> | 'bad_cursor' | null> {
  if (!sees(viewer, operationId) || !(await operationExists(database, operationId))) return null;
  const place = cursor === undefined ? null : placeOf(cursor);
  if (place === 'bad_cursor') return place;
  const { id, name, time_zone } = await operationOf(database, operationId);
  const filter = filterOf(operationId, time_zone, asked);
  const { rows, next } = await readPaymentList(database, filter, place, PAGE_SIZE);
  return {
    operation: { id, name, time_zone },
    items: rows.map(shownPayment),
    next: next === null ? null : writeCursor([next.updatedAt, next.id]),
  };
}

/** Days are those of the operation's time zone. */
export function filterOf(
  operationId: string,
  timeZone: string,
  asked: Asked<'exportPayments'>['query'],
): PaymentFilter {
  return {
    operationId,
    kind: asked.kind ?? null,
    status: asked.status ?? null,
    playerRef: asked.player ?? null,
    provider: asked.provider ?? null,
    reason: asked.reason ?? null,
    leastMinor: limitMinor(asked.min_amount),
    mostMinor: limitMinor(asked.max_amount),
    from: asked.from ?? null,
    to: asked.to ?? null,
    timeZone,
  };
}

export function shownPayment(row: ListedPayment) {
  return {
    id: row.id,
    kind: row.kind,
    external_id: row.externalId,
    player_ref: row.playerRef,
    provider: row.provider,
    status: row.status,
    amount: toMoney(row.amountMinor, row.currency),
    reasons: [...row.reasons],
    created_at: row.createdAt,
    updated_at: row.updatedAt,
  };
}

function placeOf(cursor: string): ListPlace | 'bad_cursor' {
  const [updatedAt = '', id = ''] = readCursor(cursor, 2) ?? [];
  const isOurs = !Number.isNaN(Date.parse(updatedAt)) && /^(dep|wdr)_[0-9a-f]{32}$/.test(id);
  return isOurs ? { updatedAt, id } : 'bad_cursor';
}
