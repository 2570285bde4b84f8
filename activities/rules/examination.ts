// Looks a charge up at the provider and assesses its payment by the rules, in one step on the rules queue. If anything
// fails here, the workflow takes the two steps one after another: it asks the provider until it answers, then the
// rules.
import type { ChargeQuestion } from '../../contract/temporal/rule-questions.js';
import { BriefCalls } from '../provider/brief-calls.js';
import { inconclusive } from '../provider/charges.js';
import type { ChargeFindings, ProviderActivities } from '../provider/types.js';
import type { Examination, ExaminationActivities, RulesActivities } from './types.js';

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
      const question = { ...charge, paidAmountMinor, paidAt, payerMatch, sealedPayer };
      return { endToEndId, verdict: await assessPayment(question) };
    } catch {
      // The workflow asks the rules separately, with retries.
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
