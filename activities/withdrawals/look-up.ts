// Looks a payout up by its reference and stores what follows. "Not found" proves nothing: the payout may still arrive.
import type { PaymentRef } from '../../contract/temporal/payment-steps.js';
import { sendStateOf, type WithdrawalRecord } from '../../domain/withdrawal-record.js';
import { isWithdrawalClosed, mayHaveLeft } from '../../domain/withdrawal.js';
import { pendingRequest } from '../../domain/write-off.js';
import type { HeldWithdrawal } from '../../store/withdrawals/held.js';
import { untilStored } from '../payments/until-stored.js';
import { followPayout } from './follow.js';
import type { WithdrawalStore, WithdrawalDependencies } from './ports.js';
import { answered, keptChanging } from './step.js';
import type { WithdrawalProviderSteps } from './types.js';

export function createLookUpStep({
  withdrawals,
  calls,
}: WithdrawalDependencies): Pick<WithdrawalProviderSteps, 'lookUpPayout'> {
  return {
    async lookUpPayout(ref) {
      const held = await withdrawals.read(ref);
      if (isNothingSent(held.record)) return { ...answered(held, ref.at), outcome: 'nothing' };
      const { order, record } = held;
      const span = { since: record.snapshot.createdAt, at: ref.at };
      const look = await calls.lookUpPayout({ order, span });
      if (look.kind === 'not_found') {
        const counted = await countTraceless(withdrawals, ref, held, ref.isNoticed ?? false);
        return { ...answered(counted, ref.at), outcome: 'nothing' };
      }
      const found = await followPayout({ withdrawals, calls }, ref, held, look.payout);
      const followed = await noteUnfinished(withdrawals, ref, found);
      return { ...answered(followed, ref.at), outcome: 'found' };
    },
  };
}

/** A closed withdrawal is always looked up: a report that contradicts it must be seen. */
function isNothingSent(record: WithdrawalRecord): boolean {
  return !isWithdrawalClosed(record.snapshot.status) && !mayHaveLeft(sendStateOf(record));
}

/** While one person asks to write it off, the row shows that it was looked up and is still processing. */
function noteUnfinished(withdrawals: WithdrawalStore, ref: PaymentRef, start: HeldWithdrawal): Promise<HeldWithdrawal> {
  return noted(withdrawals, ref, start, (held) => {
    const { snapshot } = held.record;
    const isAsked = snapshot.status === 'processing' && pendingRequest(snapshot, ref.at) !== null;
    return isAsked ? withdrawals.noteUnfinished(held) : null;
  });
}

function countTraceless(
  withdrawals: WithdrawalStore,
  ref: PaymentRef,
  start: HeldWithdrawal,
  isTraced: boolean,
): Promise<HeldWithdrawal> {
  return noted(withdrawals, ref, start, (held) => {
    const isOpen = held.record.snapshot.status === 'approved' && sendStateOf(held.record) === 'claimed';
    return isOpen ? withdrawals.countTraceless(held, { at: ref.at, isTraced }) : null;
  });
}

/** Stores by `note` what a look-up was; `null`: there is nothing to store. Reads again if the withdrawal changed. */
function noted(
  withdrawals: WithdrawalStore,
  ref: PaymentRef,
  start: HeldWithdrawal,
  note: (held: HeldWithdrawal) => Promise<boolean> | null,
): Promise<HeldWithdrawal> {
  let held = start;
  return untilStored(async () => {
    if ((await note(held)) !== false) return held;
    held = await withdrawals.read(ref);
    return null;
  }, keptChanging);
}
