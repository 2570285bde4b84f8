// What people and operators do to a withdrawal, and loading it for a new run of its process. An act that is stored
// already gets the same answer as the first time.
import type { ActRef, Loaded, PaymentRef } from '../../../contract/temporal/payment-steps.js';
import type { PersonAct } from '../../../domain/payments/act-result.js';
import { displayedOperatorReasons } from '../../../domain/rules/operator-reasons.js';
import type { StaffAct } from '../../../domain/staff.js';
import type { WithdrawalChange, WithdrawalRecord } from '../../../domain/payments/withdrawal-record.js';
import {
  approve,
  cancel,
  cancelByStaff,
  refuse,
  type WithdrawalActResult,
} from '../../../domain/payments/withdrawal-acts.js';
import { operatorReasonsOf, type SealedWithdrawalOrder } from '../../../store/sealing/sealed-requests.js';
import { type Sealer, UnsealableError } from '../../../store/sealing/sealer.js';
import type { WithdrawalRow } from '../../../store/payments/withdrawal/read.js';
import { noticingInvented } from '../proven.js';
import { decideAndStore, decisionOf } from '../step.js';
import { answerOf } from './answers.js';
import type { WithdrawalDependencies, WithdrawalStore } from './ports.js';
import type { StoredWithdrawal, WithdrawalActed } from './types.js';

export async function loadWithdrawal(
  { withdrawals, sealer }: WithdrawalDependencies,
  ref: PaymentRef,
): Promise<StoredWithdrawal & Loaded> {
  const row = await noticingInvented(withdrawals, ref, () => withdrawals.read(ref));
  const { id, operationId } = ref;
  const { operationName, provider, amountMinor } = row.order;
  const { clock } = row;
  const operatorReasons = countOperatorReasons(sealer, row.order);
  const context = { id, operationId, operationName, provider, amountMinor, operatorReasons };
  return { ...answerOf(row, ref.at), context, ...(clock == null ? {} : { clock }) };
}

export function cancelWithdrawal({ withdrawals }: WithdrawalDependencies, ref: PaymentRef): Promise<WithdrawalActed> {
  return act(withdrawals, ref, cancel);
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

function personalAct(
  withdrawals: WithdrawalStore,
  { actId, ...ref }: ActRef,
  decide: (record: WithdrawalRecord, act: PersonAct) => WithdrawalActResult,
): Promise<WithdrawalActed> {
  return act(withdrawals, ref, (record, stored) => decide(record, { actId, stored, at: ref.at }), actId);
}

async function act(
  withdrawals: WithdrawalStore,
  ref: PaymentRef,
  decide: (record: WithdrawalRecord, stored: StaffAct | null) => WithdrawalActResult,
  actId: string | null = null,
): Promise<WithdrawalActed> {
  const decided = ({ record }: WithdrawalRow, stored: StaffAct | null) =>
    decisionOf<WithdrawalChange, Exclude<WithdrawalActed['outcome'], 'done'>>(decide(record, stored));
  const { row, outcome } = await decideAndStore(withdrawals, ref, decided, { actId });
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
