// What people and operators do to a withdrawal, and loading it for a new run of its process.
import type { ActRef, PaymentRef } from '../../contract/temporal/payment-steps.js';
import { displayedOperatorReasons } from '../../domain/rules/operator-reasons.js';
import {
  type ActStep,
  approvalStep,
  cancelStep,
  type WithdrawalAct,
  refusalStep,
  staffCancelStep,
} from '../../domain/withdrawal-review.js';
import type { StaffAct } from '../../domain/staff.js';
import type { WithdrawalRecord } from '../../domain/withdrawal-record.js';
import { operatorReasonsOf, type SealedWithdrawalOrder } from '../../store/sealing/sealed-requests.js';
import { type Sealer, UnsealableError } from '../../store/sealing/sealer.js';
import type { HeldWithdrawal } from '../../store/withdrawals/held.js';
import { noticingInvented } from '../payments/proven.js';
import type { WithdrawalDependencies } from './ports.js';
import { answered, decideAndStore, type Plan } from './step.js';
import type { WithdrawalActed, WithdrawalStoreSteps } from './types.js';

type ActSteps = Omit<WithdrawalStoreSteps, 'decideWriteOff'>;

export function createActSteps({ withdrawals, sealer }: WithdrawalDependencies): ActSteps {
  async function cancel(ref: PaymentRef): Promise<WithdrawalActed> {
    const { held, outcome } = await decideAndStore(withdrawals, ref, ({ record }) => planOf(cancelStep(record)));
    return { ...answered(held, ref.at), outcome };
  }

  async function act(
    { actId, ...ref }: ActRef,
    step: (record: WithdrawalRecord, given: WithdrawalAct) => ActStep,
  ): Promise<WithdrawalActed> {
    const decide = ({ record }: HeldWithdrawal, stored: StaffAct | null) =>
      planOf(step(record, { actId, stored, at: ref.at }));
    const { held, outcome } = await decideAndStore(withdrawals, ref, decide, actId);
    return { ...answered(held, ref.at), outcome };
  }

  return {
    async loadWithdrawal(ref) {
      const held = await noticingInvented(withdrawals, ref, () => withdrawals.read(ref));
      const { provider, amountMinor, operationName } = held.order;
      const operatorReasons = countOperatorReasons(sealer, held.order);
      const { id, operationId } = ref;
      const context = { id, operationId, operationName, provider, amountMinor, operatorReasons };
      const { clock } = held;
      return { ...answered(held, ref.at), context, ...(clock == null ? {} : { clock }) };
    },
    cancelWithdrawal: cancel,
    cancelWithdrawalByStaff: (ref) => act(ref, staffCancelStep),
    approveWithdrawal: (ref) => act(ref, approvalStep),
    refuseWithdrawal: (ref) => act(ref, refusalStep),
  };
}

function planOf(step: ActStep): Plan<WithdrawalActed['outcome']> {
  return typeof step === 'string' ? { outcome: step, change: null } : { outcome: 'done', change: step };
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
