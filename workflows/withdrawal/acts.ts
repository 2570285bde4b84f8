// A request to cancel a withdrawal, by its operator or a person. The step reports whether the payout may already have
// been sent.
import type { WithdrawalActed } from '../../activities/types.js';
import type { StaffCancel, WithdrawalActionOutcome } from '../../contract/temporal/payment.js';
import { assertActId } from '../steps/act.js';
import { step } from '../steps/step.js';
import type { WithdrawalProcess } from './process.js';

export async function cancel({ payment }: WithdrawalProcess): Promise<WithdrawalActionOutcome> {
  return outcomeOf(payment.adopt(await step.cancelWithdrawal(payment.ref)));
}

export async function cancelByStaff(
  { payment }: WithdrawalProcess,
  { actId }: StaffCancel,
): Promise<WithdrawalActionOutcome> {
  return outcomeOf(payment.adopt(await step.cancelWithdrawalByStaff({ ...payment.ref, actId })));
}

/** Refuses what cannot succeed before it enters the history. */
export function assertStaffCancel(run: WithdrawalProcess, { actId }: StaffCancel): void {
  assertActId(actId);
  run.assertCancellable();
}

export function outcomeOf({ outcome, state: { snapshot: withdrawal } }: WithdrawalActed): WithdrawalActionOutcome {
  return { kind: outcome === 'not_judged' ? 'rules_unavailable' : outcome, snapshot: withdrawal };
}
