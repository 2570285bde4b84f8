// What a caller or a person may request of a deposit: to cancel it, or (in the sandbox) to let it expire now.
import type { DepositActed } from '../../activities/types.js';
import type { DepositActionOutcome, StaffCancel } from '../../contract/temporal/payment.js';
import { assertActId } from '../steps/act.js';
import { step } from '../steps/step.js';
import type { DepositProcess } from './process.js';

export async function cancel({ payment }: DepositProcess): Promise<DepositActionOutcome> {
  return outcomeOf(payment.adopt(await step.cancelDeposit(payment.ref)));
}

export async function cancelByStaff(
  { payment }: DepositProcess,
  { actId }: StaffCancel,
): Promise<DepositActionOutcome> {
  return outcomeOf(payment.adopt(await step.cancelDepositByStaff({ ...payment.ref, actId })));
}

/** Refuses what cannot succeed before it enters the history. */
export function assertStaffCancel(run: DepositProcess, { actId }: StaffCancel): void {
  assertActId(actId);
  run.assertAllows('cancel');
}

export async function expire({ payment }: DepositProcess): Promise<DepositActionOutcome> {
  return outcomeOf(payment.adopt(await step.expireDepositNow(payment.ref)));
}

export function outcomeOf({ outcome, state }: DepositActed): DepositActionOutcome {
  return { kind: outcome, snapshot: state.snapshot };
}
