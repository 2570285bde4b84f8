// Closed days, as operators read them: every change of money is on one day, once, with its amount; totals, order and
// digest are those of the items; the last page is signed.
import { createHash } from 'node:crypto';
import type { DayRead, Operator } from '../world/operator.js';
import { short } from '../world/story.js';
import { ByReference, type Evidence, type Finding, returnedOf, type Row, sum } from './evidence.js';
import type { EventRow } from './events.js';

/** Which events are items of a day, and of which kind. */
const KIND_OF: Readonly<Record<string, string>> = {
  'deposit.paid': 'deposit',
  'withdrawal.paid': 'withdrawal',
  'deposit.refunded': 'refund',
  'deposit.chargeback': 'chargeback',
  'withdrawal.returned': 'return',
};
const GONE_BACK = ['refund', 'chargeback'];
const IN_PARTS = [...GONE_BACK, 'return'];
const DAY_MS = 86_400_000;
const GRACE_MS = 2 * 3_600_000;

/** The days that are closed at that moment, from the first one. */
export function closedDays(beganMs: number, nowMs: number): string[] {
  const days: string[] = [];
  const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  for (let ms = Math.floor(beganMs / DAY_MS) * DAY_MS; ms + DAY_MS + GRACE_MS <= nowMs; ms += DAY_MS)
    days.push(dateOf(ms));
  return days;
}

/** Judges the days that an operator read. */
export function judgeDays(
  { books }: Evidence,
  operator: Operator,
  {
    days,
    events,
    rows,
  }: { readonly days: readonly DayRead[]; readonly events: readonly EventRow[]; readonly rows: readonly Row[] },
): Finding[] {
  const findings: Finding[] = [];
  const find = (rule: string, detail: string) => void findings.push({ rule, detail: `${operator.name}: ${detail}` });
  const last = days.at(-1)?.date;
  if (last === undefined) return [];
  const at = new ByReference(books);
  const items = days.flatMap((day) => day.items.map((item) => ({ ...item, date: day.date })));
  for (const day of days) findings.push(...judgeDay(operator, day));
  const amounts = new Map(rows.map(({ id, amount }) => [id, amount]));
  for (const { type, object_id: id, date } of events) {
    const kind = KIND_OF[type];
    if (kind === undefined || date > last) continue;
    const found = items.filter((item) => item.object_id === id && item.kind === kind);
    // What goes back, or comes back, may do so in several parts.
    const isOne = IN_PARTS.includes(kind) ? found.length > 0 : found.length === 1;
    if (!isOne) find('every change of money is on one day, once', `${type} of ${short(id)}: ${found.length} items`);
    else if (
      !GONE_BACK.includes(kind) &&
      sum(found.map(({ amount }) => amount.amount)) !== BigInt(amounts.get(id) ?? '-1')
    )
      find('a day has the true amounts', `${type} of ${short(id)}`);
  }
  for (const { object_id: id, kind, date, settled_at: settledAt } of items) {
    if (kind === 'fee') continue;
    if (settledAt.slice(0, 10) > date) find('a day has nothing of a later one', `${kind} of ${short(id)}`);
    const isTold = events.some((event) => event.object_id === id && KIND_OF[event.type] === kind);
    const wentBack = (at.charge(id)?.payments ?? []).reduce((all, payment) => all + returnedOf(payment), 0n);
    const isPart = GONE_BACK.includes(kind) && wentBack > 0n;
    if (!isTold && !isPart && kind !== 'return')
      find('a day has only what happened', `${kind} of ${short(id)} on ${date}`);
  }
  return findings;
}

function judgeDay(operator: Operator, { date, items, totals, digest, isSigned }: DayRead): Finding[] {
  const findings: Finding[] = [];
  const find = (rule: string) => void findings.push({ rule, detail: `${operator.name}: ${date}` });
  const of = (kind: string) => sum(items.filter((item) => item.kind === kind).map(({ amount }) => amount.amount));
  const fees = sum(
    items.flatMap(({ kind, amount, fee }) => (kind === 'fee' ? [amount.amount] : fee ? [fee.amount] : [])),
  );
  const isTotal =
    BigInt(totals.deposits_paid.amount) === of('deposit') &&
    BigInt(totals.withdrawals_paid.amount) === of('withdrawal') &&
    BigInt(totals.refunds.amount) === of('refund') &&
    BigInt(totals.chargebacks.amount) === of('chargeback') &&
    BigInt(totals.fees.amount) === fees &&
    totals.count === items.length;
  if (!isTotal) find('the totals of a day are the sums of its items');
  const keys = items.map(({ object_id: id, kind }) => `${id}\u0000${kind}`);
  const isSettledOnce = (index: number) => ['deposit', 'withdrawal'].includes(items[index]?.kind ?? '');
  keys.forEach((key, index) => {
    const before = keys[index - 1] ?? '';
    // What goes back may do so in several parts.
    if (key < before || (key === before && isSettledOnce(index))) find('a day is in its order');
  });
  const text = createHash('sha256').update(canonical(items)).digest('hex');
  if (text !== digest) find('the digest of a day is that of its items');
  if (!isSigned) find('a day is signed');
  return findings;
}

/** As RFC 8785 writes it, for what days hold: no fractions. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`;
}
