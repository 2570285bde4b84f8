// What a deposit waits for, as the Temporal UI shows it.
import { type DepositSnapshot, expiryOf } from '../../domain/payments/deposit.js';
import { NO_WAIT, type Wait } from '../steps/status-reporter.js';

const underWay = (what: string, since: string) => ({ what, since });

/** `alertAt`: when the missing answer becomes an alert; null once it has. */
export function chargeWait(since: string, alertAt: string | null): Wait {
  const next = alertAt === null ? '' : 'operations staff are alerted';
  const asked = underWay('the provider is asked until it answers', since);
  return { for: 'provider_charge', underWay: asked, next, until: alertAt };
}

/** `lookUpAt`: when it is looked up again after a callback; null if that is not planned. */
export function paymentWait(deposit: DepositSnapshot, lookUpAt: string | null = null): Wait {
  const expiry = expiryOf(deposit);
  if (lookUpAt === null || lookUpAt > expiry) return { for: 'payment', next: 'expires', until: expiry };
  return { for: 'payment', next: 'the provider is asked again', until: lookUpAt };
}

export function lastLookWait(since: string): Wait {
  const asked = underWay('the provider is asked once more before it expires', since);
  return { for: 'payment', underWay: asked, next: '', until: null };
}

/** A look-up on request or after a callback, in addition to the wait that the state has. */
export function lookUpWait(since: string, deposit: DepositSnapshot): Wait {
  const asked = underWay('the provider is asked about the payment', since);
  switch (deposit.status) {
    case 'created':
    case 'pending':
      return { ...paymentWait(deposit), underWay: asked };
    case 'under_review':
      return { ...reviewWait(deposit), underWay: asked };
    case 'paid':
    case 'expired':
    case 'cancelled':
    case 'failed':
    case 'returned':
    case 'refunded':
    case 'chargeback':
      return { ...NO_WAIT, underWay: asked };
  }
}

export function reviewWait({ reviewReasons }: DepositSnapshot): Wait {
  return { for: 'review', next: `a person approves or returns it (${reviewReasons.join(', ')})`, until: null };
}

export function returnWait(since: string): Wait {
  const asked = underWay('the provider is asked until the return is done', since);
  return { for: 'return_to_payer', underWay: asked, next: '', until: null };
}
