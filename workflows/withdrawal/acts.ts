// What the operator asks of a withdrawal: to cancel it. The step says whether the send has left.
import type { WithdrawalActed } from '../../activities/types.js';
import type { WithdrawalActionOutcome } from '../../contract/temporal/withdrawal.js';
import { storeOfActs } from '../steps/activity-proxies.js';
import type { WithdrawalProcess } from './process.js';

export async function cancel({ payment }: WithdrawalProcess): Promise<WithdrawalActionOutcome> {
  return outcomeOf(payment.adopt(await storeOfActs.cancelWithdrawal(payment.ref)));
}

export function outcomeOf({ outcome, state: { withdrawal } }: WithdrawalActed): WithdrawalActionOutcome {
  switch (outcome) {
    case 'done':
    case 'invalid_state':
    case 'same_person':
    case 'refused_by_rules':
    case 'unknown_act':
    case 'other_subject':
    case 'used_act':
    case 'expired_act':
    case 'subject_changed':
    case 'not_permitted':
      return { kind: outcome, withdrawal };
    case 'not_judged':
      return { kind: 'rules_unavailable', withdrawal };
  }
}
