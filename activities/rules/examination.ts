// What the provider knows of a charge and what the rules say of its payment, in one step on the rules queue. Whatever goes wrong
// here, the workflow takes the two steps one by one: the provider is asked until it answers, then the rules.
import { BriefCalls } from '../provider/brief-calls.js';
import { inconclusive } from '../provider/charges.js';
import type { ChargeFindings, Examination, ExaminationActivities, ProviderActivities } from '../types.js';
import type { ChargeQuestion, RulesActivities } from './types.js';

const LOOK_UP_MS = 2_500;

export function createExamination(
  { lookUpCharge }: Pick<ProviderActivities, 'lookUpCharge'>,
  { assessPayment }: Pick<RulesActivities, 'assessPayment'>,
): ExaminationActivities {
  const calls = new BriefCalls();

  async function assess(charge: ChargeQuestion, { payments }: ChargeFindings): Promise<Examination['assessed']> {
    const [payment] = payments;
    if (payment === undefined) return null;
    const { endToEndId, amountMinor: paidAmountMinor, paidAt, payerMatch, sealedPayer } = payment;
    try {
      return {
        endToEndId,
        verdict: await assessPayment({ ...charge, paidAmountMinor, paidAt, payerMatch, sealedPayer }),
      };
    } catch {
      // The workflow asks the rules by themselves, with their own tries.
      return null;
    }
  }

  return {
    async examineCharge({ order, charge }) {
      const findings = await calls.ask(order.provider, LOOK_UP_MS, () => lookUpCharge({ order }));
      if (findings === null) throw inconclusive('not at once');
      return { findings, assessed: await assess(charge, findings) };
    },
  };
}
