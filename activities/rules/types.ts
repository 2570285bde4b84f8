// The rules engine as the steps of a payment see it. Each question reads its facts in one statement and decides. The
// caller stores the decision in the statement that stores what follows from it.
import type {
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
import type { DecisionRecord } from '../../store/rules/decisions.js';

/** A verdict with the decision to store; `record` is `null` if there is nothing to store. */
export interface Decision<Verdict> {
  readonly verdict: Verdict;
  readonly record: DecisionRecord | null;
}

/**
 * Expected answers are verdicts. A fault (no database, no rule set) throws; the caller treats it as RULES_UNAVAILABLE.
 */
export interface RulesEngine {
  decideDeposit(question: DepositQuestion): Promise<Decision<DepositVerdict>>;
  assessPayment(question: PaymentQuestion): Promise<Decision<PaymentVerdict>>;
  decideWithdrawal(question: WithdrawalQuestion): Promise<Decision<WithdrawalVerdict>>;
  decideDispatch(question: DispatchQuestion): Promise<Decision<DispatchVerdict>>;
}
