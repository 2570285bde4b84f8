// What a deposit waits for in each state, as the Temporal UI shows it.
import { type DepositSnapshot, expiryOf } from '../../domain/deposit.js';
import { NO_WAIT, type Wait } from '../steps/status-reporter.js';
import type { CallsUnderWay } from './provider-calls.js';

/** `alertAt`: when the missing answer to the charge request becomes an alert; null before the creation was answered. */
export function currentWait(deposit: DepositSnapshot, calls: CallsUnderWay, alertAt: string | null): Wait {
  switch (deposit.status) {
    case 'created': {
      const asked = underWay('the provider is asked until it answers', calls.charge);
      const next = alertAt === null ? '' : 'operations staff are told';
      return { for: 'provider_charge', underWay: asked, next, until: alertAt };
    }
    case 'pending':
      return paymentWait(deposit, calls);
    case 'under_review': {
      const returning = underWay('the provider is asked until the return is done', calls.return);
      if (returning !== null) return { for: 'return_to_payer', underWay: returning, next: '', until: null };
      const next = `a person approves or returns it (${deposit.reviewReasons.join(', ')})`;
      return { for: 'review', next, until: null };
    }
    case 'paid':
    case 'expired':
    case 'cancelled':
    case 'failed':
    case 'returned':
    case 'refunded':
    case 'chargeback':
      return NO_WAIT;
  }
}

function paymentWait(deposit: DepositSnapshot, calls: CallsUnderWay): Wait {
  const lastLook = underWay('the provider is asked once more before it expires', calls.lastLook);
  if (lastLook !== null) return { for: 'payment', underWay: lastLook, next: '', until: null };
  const lookUp = underWay('the provider is asked about the payment', calls.lookUp);
  return { for: 'payment', underWay: lookUp, next: 'expires', until: expiryOf(deposit) };
}

function underWay(what: string, since: string | null): NonNullable<Wait['underWay']> | null {
  return since === null ? null : { what, since };
}
