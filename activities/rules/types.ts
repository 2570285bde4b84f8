// The activities of the rules engine. Each reads its facts in one statement, decides, and stores the decision with its
// facts.
import type { DepositOrder } from '../../contract/temporal/deposit.js';
import type {
  ChargeQuestion,
  DepositQuestion,
  DispatchQuestion,
  PaymentQuestion,
  WithdrawalQuestion,
} from '../../contract/temporal/rule-questions.js';
import type {
  DepositVerdict,
  DispatchVerdict,
  PaymentVerdict,
  WithdrawalVerdict,
} from '../../domain/rules/verdicts.js';
import type { ChargeFindings } from '../provider/types.js';

/**
 * Expected answers are verdicts. A fault (no database, no rule set) throws; the workflow treats it as
 * RULES_UNAVAILABLE.
 */
export interface RulesActivities {
  decideDeposit(question: DepositQuestion): Promise<DepositVerdict>;
  assessPayment(question: PaymentQuestion): Promise<PaymentVerdict>;
  decideWithdrawal(question: WithdrawalQuestion): Promise<WithdrawalVerdict>;
  decideDispatch(question: DispatchQuestion): Promise<DispatchVerdict>;
}

/**
 * The result of looking up a charge; `assessed` is the rules' verdict on its first payment, null if they were not
 * asked.
 */
export interface Examination {
  readonly findings: ChargeFindings;
  readonly assessed: { readonly endToEndId: string; readonly verdict: PaymentVerdict } | null;
}

export interface ExaminationActivities {
  /** Looks a charge up and assesses its payment. Throws if the provider does not answer at once. */
  examineCharge(input: { order: DepositOrder; charge: ChargeQuestion }): Promise<Examination>;
}
