// What a state of the gateway means for the operator's money, by the specification's two effect tables. Pure.
import type { Alert, Effect, Intent, Payment, PaymentKind } from './records.js';

/** An intent, and what has become of its money so far. */
export interface Entry {
  readonly kind: PaymentKind;
  readonly intent: Intent;
  /** The gateway's id, once known. */
  readonly objectId: string | null;
  readonly status: string | null;
  /** The highest version applied; 0 before the first. */
  readonly version: number;
  /** When it was paid, by the gateway's word; null before. */
  readonly paidAt: string | null;
  /** Deposits: `open` until `credited`. Withdrawals: `reserved`, then `settled` or `given_back`. */
  readonly money: 'open' | 'credited' | 'reserved' | 'settled' | 'given_back';
}

export interface Decision {
  readonly effect: Effect;
  readonly alert: Alert | null;
}

const NOTHING: Decision = { effect: 'none', alert: null };

/** Whether the money of the entry may still move without the operator: the gateway's next answer matters. */
export function isOpen(entry: Entry): boolean {
  return entry.money === 'reserved' || (entry.money === 'open' && !FINAL_WITHOUT_CREDIT.has(entry.status ?? ''));
}

const FINAL_WITHOUT_CREDIT: ReadonlySet<string> = new Set([
  'expired',
  'cancelled',
  'failed',
  'returned',
  'refunded',
  'chargeback',
]);
const GIVES_BACK: ReadonlySet<string> = new Set(['rejected', 'failed', 'cancelled']);

/**
 * What to do about a state that was fetched back; null if it is not newer than what was applied. A payment that differs
 * from the operator's own record moves no money, with any status.
 */
export function decide(entry: Entry | undefined, payment: Payment): Decision | null {
  if (!entry) return { effect: 'none', alert: 'unknown_external_id' };
  const difference = differenceOf(entry, payment);
  if (difference) return { effect: 'none', alert: difference };
  if (payment.version <= entry.version) return null;
  return entry.kind === 'deposit' ? decideDeposit(entry, payment.status) : decideWithdrawal(entry, payment.status);
}

function differenceOf(entry: Entry, payment: Payment): Alert | null {
  if (entry.objectId !== null && entry.objectId !== payment.id) return 'another_object';
  const { amount, player_ref: playerRef } = entry.intent;
  if (amount.amount !== payment.amount.amount || amount.currency !== payment.amount.currency) return 'amount_differs';
  return playerRef === payment.player_ref ? null : 'player_differs';
}

function decideDeposit(entry: Entry, status: string): Decision {
  if (status === 'paid') return entry.money === 'credited' ? NOTHING : { effect: 'credit', alert: null };
  if (entry.money !== 'credited') return NOTHING;
  // The recommended policy: the player may have played with it already, so a person decides.
  if (status === 'refunded') return { effect: 'none', alert: 'refunded_after_credit' };
  if (status === 'chargeback') return { effect: 'none', alert: 'chargeback_after_credit' };
  return NOTHING;
}

function decideWithdrawal(entry: Entry, status: string): Decision {
  if (status === 'returned') return { effect: 'none', alert: 'withdrawal_returned' };
  if (status === 'paid' && entry.money === 'given_back') return { effect: 'none', alert: 'paid_after_give_back' };
  if (entry.money !== 'reserved') return NOTHING;
  if (status === 'paid') return { effect: 'settle', alert: null };
  return GIVES_BACK.has(status) ? { effect: 'give_back', alert: null } : NOTHING;
}
