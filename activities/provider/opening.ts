// A deposit's opening in one step: its row, then, if the provider answers at once, its charge.
import type { ChargeResult, DepositAdmissions, OpeningActivities, ProviderActivities } from '../types.js';
import { BriefCalls } from './brief-calls.js';

export function createOpening(
  { admitDeposit }: DepositAdmissions,
  { createCharge }: Pick<ProviderActivities, 'createCharge'>,
): OpeningActivities {
  const calls = new BriefCalls();
  return {
    async openDeposit({ chargeWithinMs, ...input }) {
      const { order, deposit } = input;
      const admission = await admitDeposit(input);
      if (admission.kind !== 'admitted') return admission;
      const isCreated = (admission.found?.deposit ?? deposit).status === 'created';
      const charge: ChargeResult | null = isCreated
        ? await calls.ask(order.provider, chargeWithinMs, () => createCharge({ order }))
        : null;
      return { ...admission, charge };
    },
  };
}
