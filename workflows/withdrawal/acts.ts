// The operator's request to cancel a withdrawal. The step reports whether the payout may already have been sent.
import type { WithdrawalActed } from '../../activities/types.js';
import type { WithdrawalActionOutcome } from '../../contract/temporal/withdrawal.js';
import { storeOfActs } from '../steps/activity-proxies.js';
import type { WithdrawalProcess } from './process.js';

export async function cancel({ payment }: WithdrawalProcess): Promise<WithdrawalActionOutcome> {
  return outcomeOf(payment.adopt(await storeOfActs.cancelWithdrawal(payment.ref)));
}

export function outcomeOf({ outcome, state: { withdrawal } }: WithdrawalActed): WithdrawalActionOutcome {
  return { kind: outcome === 'not_judged' ? 'rules_unavailable' : outcome, withdrawal };
}
