// The withdrawal that operators receive. The only presenter of withdrawals, so that no internal column leaks.
import { peopleOf } from '../../../domain/payments/deposit.js';
import { toMoney } from '../../../domain/money.js';
import { displayedOperatorReasons } from '../../../domain/rules/operator-reasons.js';
import type { WithdrawalSnapshot } from '../../../domain/payments/withdrawal.js';

/**
 * The interface's Withdrawal (specification, "Withdrawal"). Fields of wire and SWIFT are null or empty.
 * `operatorReasons` unseals the operator's free texts. They follow the review codes; without a review code they stay
 * sealed.
 */
export function presentWithdrawal(withdrawal: WithdrawalSnapshot, operatorReasons: () => readonly string[]) {
  const { decision } = withdrawal;
  const displayed = decision.reasons.length === 0 ? [] : displayedOperatorReasons(operatorReasons());
  return {
    id: withdrawal.id,
    external_id: withdrawal.externalId,
    status: withdrawal.status,
    version: withdrawal.version,
    amount: toMoney(withdrawal.amountMinor, withdrawal.currency),
    fee: withdrawal.feeMinor === null ? null : toMoney(withdrawal.feeMinor, withdrawal.currency),
    method: withdrawal.method,
    player_ref: withdrawal.playerRef,
    decision: {
      mode: decision.mode,
      reasons: [...decision.reasons, ...displayed],
      ruleset_version: decision.ruleSetVersion,
      decided_by: peopleOf(decision.decidedBy),
      decided_at: decision.decidedAt,
    },
    psp_reference: withdrawal.pspReference,
    failure_code: withdrawal.failureCode,
    created_at: withdrawal.createdAt,
    updated_at: withdrawal.updatedAt,
    paid_at: withdrawal.paidAt,
    rail: null,
    fees: [],
    charge_bearer: null,
    fx: null,
    purpose: null,
    compliance: null,
    tracking: null,
    return: null,
    recall: null,
    expected_settlement_date: null,
    sent_at: null,
  };
}

export type PublicWithdrawal = ReturnType<typeof presentWithdrawal>;
