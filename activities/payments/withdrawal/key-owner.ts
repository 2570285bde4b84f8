// Looks the holder of the PIX key up and stores the directory's answer with what follows from it.
import type { PaymentRef } from '../../../contract/temporal/payment-steps.js';
import type { KeyOwnerFinding } from '../../../domain/rules/verdicts.js';
import { awaitsKeyOwner, keyOwnerChange } from '../../../domain/payments/withdrawal-verdicts.js';
import type { WithdrawalRow } from '../../../store/payments/withdrawal/read.js';
import { decideAndStore } from '../step.js';
import { answerOf } from './answers.js';
import type { WithdrawalDependencies } from './ports.js';
import type { KeyOwnerLookedUp } from './types.js';

export async function lookUpKeyOwner(
  { withdrawals, payouts }: WithdrawalDependencies,
  ref: PaymentRef,
): Promise<KeyOwnerLookedUp> {
  const read = await withdrawals.read(ref);
  const stored = known(read.record.keyOwner);
  // A look-up that finds nothing costs tokens of a shared budget.
  if (stored !== null) return { ...answerOf(read, ref.at), finding: stored, reason: null };
  if (!awaitsKeyOwner(read.record)) return { ...answerOf(read, ref.at), finding: 'unavailable', reason: 'not_needed' };
  const { finding, endToEndId, reason } = await payouts.lookUpKeyOwner({ order: read.order });
  const decide = ({ record }: WithdrawalRow) => ({
    outcome: null,
    change: keyOwnerChange(record, { finding, endToEndId }, ref.at),
  });
  const { row } = await decideAndStore(withdrawals, ref, decide);
  return { ...answerOf(row, ref.at), finding, reason };
}

/** The directory's answer; `null` if it gave none yet. */
function known(finding: KeyOwnerFinding): Exclude<KeyOwnerFinding, 'not_asked' | 'unavailable'> | null {
  switch (finding) {
    case 'not_asked':
    case 'unavailable':
      return null;
    case 'match':
    case 'weak_match':
    case 'at_send':
    case 'mismatch':
    case 'no_such_key':
      return finding;
  }
}
