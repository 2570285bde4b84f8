// Opens a deposit in one step: inserts its row and, if the provider answers at once, creates its charge.
import type { DepositAdmissions, OpeningActivities } from '../payments/types.js';
import { BriefCalls } from './brief-calls.js';
import type { ChargeResult, ProviderActivities } from './types.js';

export function createOpening(
  { admitDeposit }: DepositAdmissions,
  { createCharge }: Pick<ProviderActivities, 'createCharge'>,
): OpeningActivities {
  const calls = new BriefCalls();
  return {
    async openDeposit({ chargeWithinMs, ...input }) {
      const { order, deposit } = input;
      const insertion = await admitDeposit(input);
      if (insertion.kind !== 'admitted') return insertion;
      const isCreated = (insertion.found?.deposit ?? deposit).status === 'created';
      const charge: ChargeResult | null = isCreated
        ? await calls.ask(order.provider, chargeWithinMs, () => createCharge({ order }))
        : null;
      return { ...insertion, charge };
    },
  };
}
