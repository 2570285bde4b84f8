// Every wait of a payment, with the payments that are brought into it. Total: a new wait does not compile without one.
import type { WaitingFor } from '../../../contract/temporal/search-attributes.js';
import type { WaitCase } from './cases.js';
import * as deposit from './deposit-waits.js';
import * as withdrawal from './withdrawal-waits.js';

/** No workflow of a payment waits for it. */
const OF_NO_PAYMENT: readonly WaitCase[] = [];

export const REOPENED: Record<WaitingFor, readonly WaitCase[]> = {
  provider_charge: [deposit.CHARGE],
  payment: [deposit.PAYMENT, deposit.PAID_UNHEARD, deposit.LOOKED_UP, deposit.LAST_LOOK],
  return_to_payer: [deposit.RETURN, deposit.ITEM_RETURN],
  key_owner: [withdrawal.KEY_HOLDER, withdrawal.ANOTHER_HOLDER],
  review: [
    deposit.REVIEW,
    deposit.REVERSED_IN_REVIEW,
    withdrawal.UNJUDGED,
    withdrawal.UNJUDGED_BLOCKED,
    withdrawal.UNJUDGED_ASKED_FOR,
    withdrawal.REVIEW,
    withdrawal.SECOND_APPROVAL,
  ],
  automatic_hours: [withdrawal.HOURS],
  cash_box: [withdrawal.CASH_BOX],
  provider_balance: [withdrawal.ACCOUNT_SHORT],
  provider_paused: [withdrawal.PAUSED],
  dispatch_check: [withdrawal.SUSPENDED, withdrawal.BLOCKED_MEANWHILE, withdrawal.RULES_AWAY],
  payout_reply: [withdrawal.NOT_SENT, withdrawal.UNKNOWN, withdrawal.NO_TRACE],
  payout_result: [withdrawal.SENDING, withdrawal.PROCESSING, withdrawal.SETTLED_UNHEARD],
  nothing: [deposit.CLOSED, deposit.LATE, withdrawal.CLOSED],
  webhook_delivery: OF_NO_PAYMENT,
  rule_change_proof: OF_NO_PAYMENT,
  approval: OF_NO_PAYMENT,
};
