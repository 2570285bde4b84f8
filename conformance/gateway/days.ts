// The closed days of the stand-in gateway: pages with a digest and a signature, right or tampered with.
import { createHmac } from 'node:crypto';
import {
  reconciliationDigest,
  reconciliationSignedText,
  reconciliationTotals,
  type ReconciliationItem,
} from '../../client/index.js';
import type { Answer } from './plays.js';
import type { Payment } from './book.js';
import { problemAnswer } from './plays.js';

/** A day as a check lays it out. */
export interface Day {
  readonly items: readonly ReconciliationItem[];
  /** Not yet closed: 409 `day_open`. */
  readonly isOpen?: boolean;
  /** Instead of the true ones. */
  readonly digest?: string;
  readonly signingSecret?: string;
}

/** Small, so that every day has several pages. */
const PAGE_ITEMS = 2;
/** Longer than any client waits. */
const DAY_OPEN_SECONDS = 7_200;

/** The item of a payment that is paid, sorted with others by `inServedOrder`. */
export function itemOf({ kind, object }: Payment): ReconciliationItem {
  return {
    object_id: object.id,
    external_id: object.external_id,
    kind,
    status: object.status,
    amount: object.amount,
    fee: null,
    settled_at: object.paid_at ?? '',
  };
}

/** By `object_id`, then `kind`, byte by byte. */
function inServedOrder(items: readonly ReconciliationItem[]): ReconciliationItem[] {
  return [...items].sort(
    (one, other) =>
      Buffer.compare(Buffer.from(one.object_id), Buffer.from(other.object_id)) ||
      Buffer.compare(Buffer.from(one.kind), Buffer.from(other.kind)),
  );
}

/** One page of the day. `cursor` is the index of its first item. */
export function dayAnswer(
  day: Day,
  { date, currency, cursor, secret }: { date: string; currency: string; cursor: string; secret: string },
): Answer {
  if (day.isOpen === true)
    return problemAnswer({ status: 409, code: 'day_open', retryable: true, retryAfterSeconds: DAY_OPEN_SECONDS });
  const items = inServedOrder(day.items);
  const first = Number(/^[0-9]{1,6}$/.exec(cursor)?.[0] ?? '0');
  const page = items.slice(first, first + PAGE_ITEMS);
  const isLast = first + PAGE_ITEMS >= items.length;
  const common = { date, currency, items: page, next_cursor: isLast ? null : String(first + PAGE_ITEMS) };
  if (!isLast) return { status: 200, body: { ...common, totals: null, digest: null } };
  const digest = day.digest ?? reconciliationDigest(items);
  const signature = createHmac('sha256', Buffer.from(day.signingSecret ?? secret, 'utf8'))
    .update(reconciliationSignedText({ date, currency, digest }), 'utf8')
    .digest('hex');
  return {
    status: 200,
    body: { ...common, totals: reconciliationTotals(items, currency), digest },
    headers: { 'svc-signature': `v1=${signature}` },
  };
}
