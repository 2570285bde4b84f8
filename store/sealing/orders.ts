// The orders of new payments as the api hands them to a workflow, and the sealed request in each: what an operator sent
// about a player, and more than ids. The request is sealed for the row that it will be stored in, and a keyed proof
// says that the gateway made the whole order, and when. Code that creates a payment makes its order here; a caller that
// merely reaches Temporal cannot.
import type { DepositOrder, PaymentOrder, WithdrawalOrder } from '../../contract/temporal/payment.js';
import { toMoney } from '../../domain/money.js';
import { canonicalJson, type JsonValue } from '../../domain/rules/canonical-json.js';
import { placeOf } from './places.js';
import type { Sealer } from './sealer.js';

export interface SealedPlayer {
  readonly external_ref: string;
  readonly document: { readonly type: string; readonly number: string; readonly country: string };
  readonly name?: string | undefined;
  readonly email?: string | undefined;
  readonly ip?: string | undefined;
  readonly device_id?: string | undefined;
  readonly birth_date?: string | undefined;
  readonly kyc_level?: string | undefined;
}

/** The amount to pay: minor units and currency. */
export interface SealedAmount {
  readonly amount: string;
  readonly currency: string;
}

export interface SealedDepositRequest {
  readonly player: SealedPlayer;
  readonly amount: SealedAmount;
  readonly locale?: string | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}

export interface SealedWithdrawalRequest {
  readonly player: SealedPlayer;
  readonly amount: SealedAmount;
  /** The key as the directory spells it (`normalizePixKey`), which is the one that is checked and paid. */
  readonly destination: {
    readonly pix: { readonly key_type: 'cpf' | 'cnpj' | 'email' | 'phone' | 'random'; readonly key: string };
  };
  readonly review_reasons?: readonly string[] | undefined;
  readonly player_context?: Readonly<Record<string, unknown>> | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}

/** Opens the sealed request of a deposit. Throws UnsealableError. */
export function openDepositRequest(sealer: Sealer, { id, operationId, sealedRequest }: SealedDepositOrder) {
  const place = placeOf('deposit.request_sealed', operationId, { id });
  return sealer.openJson<SealedDepositRequest>(place, sealedRequest);
}

interface SealedDepositOrder {
  readonly id: string;
  readonly operationId: string;
  readonly sealedRequest: string | Uint8Array;
}

/** Opens the sealed request of a withdrawal. Throws UnsealableError. */
export function openWithdrawalRequest(sealer: Sealer, { id, operationId, sealedRequest }: SealedWithdrawalOrder) {
  const place = placeOf('withdrawal.request_sealed', operationId, { id });
  return sealer.openJson<SealedWithdrawalRequest>(place, sealedRequest);
}

export interface SealedWithdrawalOrder {
  readonly id: string;
  readonly operationId: string;
  readonly sealedRequest: string | Uint8Array;
}

/** The operator's own review reasons of a sealed withdrawal request. Throws UnsealableError. */
export function operatorReasonsOf(sealer: Sealer, order: SealedWithdrawalOrder): readonly string[] {
  return openWithdrawalRequest(sealer, order).review_reasons ?? [];
}

type Unsealed<Order> = Omit<Order, 'sealedRequest' | 'proof'>;

/**
 * How long an order may wait for its row. By then its caller has long had the answer to repeat the request, which makes
 * a new order. So a copy of an order from Temporal's history, even of a refused one, creates nothing later.
 */
export const ORDER_LASTS_MS = 15 * 60_000;
/** By how much the clocks of two processes may differ. */
const CLOCKS_DIFFER_MS = 5 * 60_000;

export function sealedDepositOrder(
  sealer: Sealer,
  order: Unsealed<DepositOrder>,
  asked: Omit<SealedDepositRequest, 'amount'>,
  nowMs = Date.now(),
): DepositOrder {
  const { id, operationId } = order;
  const request: SealedDepositRequest = { ...asked, amount: amountOf(order) };
  const sealedRequest = sealer.sealJson(placeOf('deposit.request_sealed', operationId, { id }), request);
  return proven(sealer, 'deposit', { ...order, sealedRequest }, nowMs);
}

export function sealedWithdrawalOrder(
  sealer: Sealer,
  order: Unsealed<WithdrawalOrder>,
  asked: Omit<SealedWithdrawalRequest, 'amount'>,
  nowMs = Date.now(),
): WithdrawalOrder {
  const { id, operationId } = order;
  const request: SealedWithdrawalRequest = { ...asked, amount: amountOf(order) };
  const sealedRequest = sealer.sealJson(placeOf('withdrawal.request_sealed', operationId, { id }), request);
  return proven(sealer, 'withdrawal', { ...order, sealedRequest }, nowMs);
}

/** The same order with a later proof, for another run: two runs with one proof are taken for copies (decision 0004). */
export function orderAnew<Made extends Order>(sealer: Sealer, kind: OrderKind, order: Made, nowMs = Date.now()): Made {
  const [time] = splitAt(order.proof, '.');
  return proven<Made>(sealer, kind, order, Math.max(nowMs, Number.parseInt(time, 36) + 1));
}

/** Sealed with the request. The provider gets the sealed values, if the row still has the same ones. */
function amountOf({ amountMinor, currency }: Pick<Order, 'amountMinor' | 'currency'>): SealedAmount {
  return toMoney(amountMinor, currency);
}

export type OrderKind = 'deposit' | 'withdrawal';
type Order = PaymentOrder;

/** What is known of an order that came through Temporal, where anyone may have written it. */
export function checkOrder(sealer: Sealer, kind: OrderKind, order: Order, nowMs: number): OrderCheck {
  const [time, proof] = isReadable(order) ? splitAt(order.proof, '.') : ['', ''];
  const text = proof === '' ? null : readTextOf(kind, order, time);
  if (text === null || !sealer.isProof(order.operationId, text, proof)) return 'unproven';
  const atMs = Number.parseInt(time, 36);
  return atMs > nowMs + CLOCKS_DIFFER_MS || atMs < nowMs - ORDER_LASTS_MS ? 'expired' : 'proven';
}

/** `expired`: the gateway made it, but too long ago. */
export type OrderCheck = 'proven' | 'unproven' | 'expired';

/** Whether the gateway made the order, however long ago. */
export function isProvenOrder(sealer: Sealer, kind: OrderKind, order: Order): boolean {
  return checkOrder(sealer, kind, order, Date.now()) !== 'unproven';
}

/** The proof: `<milliseconds in base 36>.<keyId>.<mac>`. */
function proven<Made extends Order>(sealer: Sealer, kind: OrderKind, order: Omit<Made, 'proof'>, nowMs: number): Made {
  const time = nowMs.toString(36);
  return { ...order, proof: `${time}.${sealer.prove(order.operationId, textOf(kind, order, time))}` } as Made;
}

/** The whole content of the order in canonical form, with its kind and time. */
function textOf(kind: OrderKind, order: Omit<Order, 'proof'>, time: string): string {
  const { proof: _, ...said } = order as Order;
  return canonicalJson({ kind, time, order: said as unknown as JsonValue });
}

/** `null` if it has no canonical text, for example because it is nested without end. */
function readTextOf(kind: OrderKind, order: Order, time: string): string | null {
  try {
    return textOf(kind, order, time);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function isReadable(order: unknown): order is Order {
  if (typeof order !== 'object' || order === null) return false;
  const { operationId, proof } = order as Partial<Order>;
  return typeof operationId === 'string' && typeof proof === 'string';
}

function splitAt(text: string, mark: string): readonly [string, string] {
  const end = text.indexOf(mark);
  return end < 0 ? ['', ''] : [text.slice(0, end), text.slice(end + 1)];
}
