// What people and operators do to a withdrawal, and loading it for a new run of its process. An act that is stored
// already gets the same answer as the first time.
import type { ActRef, Loaded, PaymentRef } from '../../../contract/temporal/payment-steps.js';
import type { PersonAct } from '../../../domain/staff.js';
import { displayedOperatorReasons } from '../../../domain/rules/operator-reasons.js';
import type { WithdrawalRecord } from '../../../domain/payments/withdrawal-record.js';
import {
  approve,
  cancel,
  cancelByStaff,
  refuse,
  type WithdrawalActResult,
} from '../../../domain/payments/withdrawal-acts.js';
import { operatorReasonsOf, type SealedWithdrawalOrder } from '../../../store/sealing/orders.js';
import { type Sealer, UnsealableError } from '../../../store/sealing/sealer.js';
import { load } from '../load.js';
import { actOn, personActOn } from '../step.js';
import { answerOf } from './answers.js';
import type { WithdrawalDependencies, WithdrawalStore } from './ports.js';
import type { StoredWithdrawal, WithdrawalActed } from './types.js';

export async function loadWithdrawal(
  { withdrawals, sealer }: WithdrawalDependencies,
  ref: PaymentRef,
): Promise<StoredWithdrawal & Loaded> {
  const { row, loaded } = await load(withdrawals, ref, ({ order }) => countOperatorReasons(sealer, order));
  return { ...answerOf(row, ref.at), ...loaded };
}

export async function cancelWithdrawal(
  { withdrawals }: WithdrawalDependencies,
  ref: PaymentRef,
): Promise<WithdrawalActed> {
  const { row, outcome } = await actOn(withdrawals, ref, ({ record }) => cancel(record));
  return { ...answerOf(row, ref.at), outcome };
}

export function cancelWithdrawalByStaff(
  { withdrawals }: WithdrawalDependencies,
  ref: ActRef,
): Promise<WithdrawalActed> {
  return personalAct(withdrawals, ref, cancelByStaff);
}

export function approveWithdrawal({ withdrawals }: WithdrawalDependencies, ref: ActRef): Promise<WithdrawalActed> {
  return personalAct(withdrawals, ref, approve);
}

export function refuseWithdrawal({ withdrawals }: WithdrawalDependencies, ref: ActRef): Promise<WithdrawalActed> {
  return personalAct(withdrawals, ref, refuse);
}

async function personalAct(
  withdrawals: WithdrawalStore,
  ref: ActRef,
  decide: (record: WithdrawalRecord, act: PersonAct) => WithdrawalActResult,
): Promise<WithdrawalActed> {
  const { row, outcome } = await personActOn(withdrawals, ref, decide);
  return { ...answerOf(row, ref.at), outcome };
}

/** Zero if the request can no longer be opened: only staff see the number, and the payment can still be cancelled. */
function countOperatorReasons(sealer: Sealer, order: SealedWithdrawalOrder): number {
  try {
    return displayedOperatorReasons(operatorReasonsOf(sealer, order)).length;
  } catch (error) {
    if (error instanceof UnsealableError) return 0;
    throw error;
  }
}
