// Looks the holder of the PIX key up and stores the directory's answer with what follows from it.
import type { KeyOwnerFinding } from '../../domain/rules/verdicts.js';
import { awaitsKeyOwner, keyOwnerChange } from '../../domain/withdrawal-review.js';
import type { WithdrawalDependencies } from './ports.js';
import { answered, decideAndStore } from './step.js';
import type { WithdrawalProviderSteps } from './types.js';

export function createKeyOwnerStep({
  withdrawals,
  calls,
}: WithdrawalDependencies): Pick<WithdrawalProviderSteps, 'lookUpKeyOwner'> {
  return {
    async lookUpKeyOwner(ref) {
      const read = await withdrawals.read(ref);
      const stored = answerOf(read.record.keyOwner);
      // A look-up that finds nothing costs tokens of a shared budget.
      if (stored !== null) return { ...answered(read, ref.at), finding: stored, reason: null };
      if (!awaitsKeyOwner(read.record))
        return { ...answered(read, ref.at), finding: 'unavailable', reason: 'not_needed' };
      const { finding, endToEndId, reason } = await calls.lookUpKeyOwner({ order: read.order });
      const { held } = await decideAndStore(withdrawals, ref, ({ record }) => ({
        outcome: null,
        change: keyOwnerChange(record, { finding, endToEndId }, ref.at),
      }));
      return { ...answered(held, ref.at), finding, reason };
    },
  };
}

/** The directory's answer; `null` if it gave none yet. */
function answerOf(finding: KeyOwnerFinding): Exclude<KeyOwnerFinding, 'not_asked' | 'unavailable'> | null {
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
