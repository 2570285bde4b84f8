// The operator's check of a closed day: every page read, the digest computed again, its signature verified, and the
// items compared with the operator's own records. Pure functions of what was read, except the paging.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { GatewayClient } from './client.js';
import type { ReconciliationItem, ReconciliationTotals } from './types.js';

export interface ReconciliationDay {
  readonly date: string;
  readonly currency: string;
  readonly items: readonly ReconciliationItem[];
  readonly totals: ReconciliationTotals;
  /** As the service states it; see `reconciliationDigest`. */
  readonly digest: string;
  /** The `Svc-Signature` header of the last page; null if it had none. */
  readonly signature: string | null;
  readonly pages: number;
}

/**
 * Reads a closed day page by page. Throws ProblemError (`day_open` with its Retry-After) and NoAnswerError as every
 * call.
 */
export async function readReconciliationDay(
  client: Pick<GatewayClient, 'reconciliation'>,
  { date, currency, limit = 200 }: { readonly date: string; readonly currency: string; readonly limit?: number },
): Promise<ReconciliationDay> {
  const items: ReconciliationItem[] = [];
  let cursor: string | undefined;
  for (let pages = 1; ; pages += 1) {
    const { body, headers } = await client.reconciliation({
      date,
      currency,
      limit,
      ...(cursor === undefined ? {} : { cursor }),
    });
    items.push(...body.items);
    if (body.next_cursor === null) {
      if (body.totals === null || body.digest === null) throw new Error('the last page has no totals or no digest');
      const signature = headers['svc-signature'];
      return {
        date,
        currency,
        items,
        totals: body.totals,
        digest: body.digest,
        signature: typeof signature === 'string' ? signature : null,
        pages,
      };
    }
    if (body.items.length === 0 || body.next_cursor === cursor) throw new Error('GET /reconciliation repeated a page');
    cursor = body.next_cursor;
  }
}

/** The canonical list: the RFC 8785 (JCS) bytes of all items of the day, in the order they were served. */
export function canonicalListBytes(items: readonly ReconciliationItem[]): Buffer {
  return Buffer.from(canonicalJson(items), 'utf8');
}

/** RFC 8785 for what JSON can hold: JavaScript writes text and numbers as it demands, and sorts as it demands. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  fields.sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonicalJson(field)}`).join(',')}}`;
}

/** Lowercase hex SHA-256 of the canonical list. */
export function reconciliationDigest(items: readonly ReconciliationItem[]): string {
  return createHash('sha256').update(canonicalListBytes(items)).digest('hex');
}

/**
 * Whether the items are sorted by (`object_id`, `kind`), byte by byte. A pair comes more than once when several parts
 * of a payment went back on one day.
 */
export function isReconciliationOrdered(items: readonly ReconciliationItem[]): boolean {
  return items.every((item, index) => {
    const before = items[index - 1];
    if (before === undefined) return true;
    const order =
      Buffer.compare(Buffer.from(before.object_id), Buffer.from(item.object_id)) ||
      Buffer.compare(Buffer.from(before.kind), Buffer.from(item.kind));
    return order <= 0;
  });
}

/** The text whose HMAC signs a day: `v1`, `reconciliation`, date, currency and digest, separated by LF. */
export function reconciliationSignedText({
  date,
  currency,
  digest,
}: Pick<ReconciliationDay, 'date' | 'currency' | 'digest'>): string {
  return ['v1', 'reconciliation', date, currency, digest].join('\n');
}

/**
 * Whether the day is signed with one of these webhook secrets. During a rotation the header holds two values, so the
 * old secret and the new one verify; give both where you have both. The digest that is checked is the one passed:
 * compute it.
 */
export function verifyReconciliationSignature(
  day: Pick<ReconciliationDay, 'date' | 'currency' | 'digest' | 'signature'>,
  secrets: readonly string[],
): boolean {
  const given = (day.signature ?? '')
    .split(',')
    .slice(0, 8)
    .flatMap((entry) => /^\s*v1=([0-9a-f]{64})\s*$/.exec(entry)?.[1] ?? []);
  let matched = false;
  for (const secret of secrets) {
    if (secret === '') throw new RangeError('a webhook secret must not be empty');
    const expected = createHmac('sha256', Buffer.from(secret, 'utf8'))
      .update(reconciliationSignedText(day), 'utf8')
      .digest();
    for (const value of given) matched = timingSafeEqual(expected, Buffer.from(value, 'hex')) || matched;
  }
  return matched;
}

/** The totals that the items add up to, in the day's currency. */
export function reconciliationTotals(items: readonly ReconciliationItem[], currency: string): ReconciliationTotals {
  const sum = (amounts: readonly { readonly amount: string }[]) => ({
    amount: amounts.reduce((total, { amount }) => total + BigInt(amount), 0n).toString(),
    currency,
  });
  const ofKind = (kind: string) => sum(items.filter((item) => item.kind === kind).map(({ amount }) => amount));
  return {
    deposits_paid: ofKind('deposit'),
    withdrawals_paid: ofKind('withdrawal'),
    refunds: ofKind('refund'),
    chargebacks: ofKind('chargeback'),
    fees: sum([
      ...items.flatMap(({ fee }) => fee ?? []),
      ...items.filter(({ kind }) => kind === 'fee').map(({ amount }) => amount),
    ]),
    count: items.length,
  };
}

/** One line of the operator's own books. */
export interface OperatorRecord {
  readonly external_id: string;
  readonly kind: string;
  /** Minor units. */
  readonly amount: string;
}

export interface ReconciliationDifference {
  /** `missing_at_operator`: the service settled it, the operator has no line. `missing_at_service`: the other way round. */
  readonly problem: 'missing_at_operator' | 'missing_at_service' | 'amount_differs' | 'repeated_at_operator';
  readonly external_id: string;
  readonly kind: string;
  readonly service_amount: string | null;
  readonly operator_amount: string | null;
}

/**
 * Compares what each (`external_id`, `kind`) adds up to: parts of one payment that went back on one day are items of
 * their own, and may be one line in your books. The `external_id` spaces of deposits and withdrawals are separate.
 * Empty: they agree.
 */
export function compareReconciliation(
  items: readonly ReconciliationItem[],
  records: readonly OperatorRecord[],
): ReconciliationDifference[] {
  const lines = new Map<string, Lines>();
  const linesOf = (one: { readonly external_id: string; readonly kind: string }) => {
    const key = `${one.kind}:${one.external_id}`;
    const found = lines.get(key) ?? { external_id: one.external_id, kind: one.kind, service: [], operator: [] };
    lines.set(key, found);
    return found;
  };
  for (const [index, record] of records.entries())
    linesOf(record).operator.push({ index, amount: BigInt(record.amount) });
  for (const [index, item] of items.entries())
    linesOf(item).service.push({ index, amount: BigInt(item.amount.amount) });
  const found = [...lines.values()].flatMap(differencesOf);
  // In the order of the books, then in that of the day.
  return found.sort((one, other) => one.place - other.place).map(({ place: _, ...difference }) => difference);
}

interface Line {
  /** Where it stands in its list. */
  readonly index: number;
  readonly amount: bigint;
}

/** The lines of one (`external_id`, `kind`) on both sides. */
interface Lines {
  readonly external_id: string;
  readonly kind: string;
  readonly service: Line[];
  readonly operator: Line[];
}

/** Behind every line of the books. */
const AFTER_BOOKS = Number.MAX_SAFE_INTEGER / 2;

function differencesOf({ external_id, kind, service, operator }: Lines) {
  if (sumOf(service) === sumOf(operator) && service.length > 0 === operator.length > 0) return [];
  const [atService, atOperator] = [without(service, operator), without(operator, service)];
  const rows = Array.from({ length: Math.max(atService.length, atOperator.length) }, (_, index) => index);
  return rows.map((row) => ({
    place: atOperator[row]?.index ?? AFTER_BOOKS + (atService[row]?.index ?? 0),
    problem: problemOf(atService[row], atOperator[row], service.length > 0),
    external_id,
    kind,
    service_amount: atService[row]?.amount.toString() ?? null,
    operator_amount: atOperator[row]?.amount.toString() ?? null,
  }));
}

function problemOf(
  atService: Line | undefined,
  atOperator: Line | undefined,
  isAtService: boolean,
): ReconciliationDifference['problem'] {
  if (atOperator === undefined) return 'missing_at_operator';
  if (atService !== undefined) return 'amount_differs';
  return isAtService ? 'repeated_at_operator' : 'missing_at_service';
}

/** The lines that are left when each of the others has taken an earlier one of its amount. */
function without(lines: readonly Line[], others: readonly Line[]): readonly Line[] {
  const left = [...lines];
  for (const { amount } of others) {
    const index = left.findIndex((line) => line.amount === amount);
    if (index >= 0) left.splice(index, 1);
  }
  return left;
}

const sumOf = (lines: readonly Line[]) => lines.reduce((sum, { amount }) => sum + amount, 0n);
