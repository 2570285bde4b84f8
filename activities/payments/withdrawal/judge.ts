// The rules decide a stored withdrawal: one that waited for the holder of its key, and one under review that they never
// judged.
import { ApplicationFailure } from '@temporalio/activity';
import type { PaymentRef } from '../../../contract/temporal/payment-steps.js';
import type { WithdrawalQuestion } from '../../../contract/temporal/rule-questions.js';
import { isWithdrawalVerdict, type KeyOwnerFinding, type WithdrawalVerdict } from '../../../domain/rules/verdicts.js';
import type { WithdrawalChange } from '../../../domain/payments/withdrawal-record.js';
import {
  belongsToAnother,
  laterJudgement,
  requestedDecision,
  requestedUndecided,
} from '../../../domain/payments/withdrawal-verdicts.js';
import type { DecisionRecord } from '../../../store/rules/decisions.js';
import type { WithdrawalRow } from '../../../store/payments/withdrawal/read.js';
import { askRules } from '../../rules/asking.js';
import type { RulesEngine } from '../../rules/types.js';
import { type Decision, decideAndStore } from '../step.js';
import { answerOf } from './answers.js';
import type { WithdrawalDependencies, WithdrawalStore } from './ports.js';
import type { WithdrawalDecided, WithdrawalRulesSteps } from './types.js';

type Judging = Decision<WithdrawalDecided['outcome'], WithdrawalChange>;
type Input<Name extends keyof WithdrawalRulesSteps> = Parameters<WithdrawalRulesSteps[Name]>[0];

const DECIDED: Judging = { outcome: 'decided', change: null };
const KEY_CHECK_NEEDED: Judging = { outcome: 'key_check_needed', change: null };

export function decideRequested(
  { withdrawals, rules }: WithdrawalDependencies,
  input: Input<'decideRequested'>,
): Promise<WithdrawalDecided> {
  return decided(withdrawals, input, async (row) => {
    const { record } = row;
    if (record.snapshot.status !== 'requested') return DECIDED;
    if (record.keyOwner === 'mismatch') return { outcome: 'decided', change: belongsToAnother(record, input.at) };
    if (record.keyOwner === 'not_asked' && !input.isBudgetSpent) return KEY_CHECK_NEEDED;
    if (input.rules === 'silent') return { outcome: 'decided', change: requestedUndecided('RULES_UNAVAILABLE') };
    const question = { stage: 'dict', keyOwner: asked(record.keyOwner), at: input.at } as const;
    const { verdict, decision } = await ask(rules, row, question);
    if (verdict === null) return { outcome: 'decided', change: requestedUndecided('RULES_INVALID_RESPONSE') };
    return { outcome: 'decided', change: requestedDecision(verdict, input.at), decision };
  });
}

export function judgeReviewed(
  { withdrawals, rules }: WithdrawalDependencies,
  input: Input<'judgeReviewed'>,
): Promise<WithdrawalDecided> {
  return decided(withdrawals, input, async (row) => {
    const { record } = row;
    if (record.snapshot.status !== 'under_review' || record.judgement !== 'none') return DECIDED;
    const keyOwner = input.isKeyAsked ? asked(record.keyOwner) : record.keyOwner;
    // Its windows are those of the request, however late the rules judge it.
    const question = { stage: 'review', keyOwner, at: record.snapshot.createdAt } as const;
    const { verdict, decision } = await ask(rules, row, question);
    if (verdict === null)
      throw ApplicationFailure.retryable('the rules gave an invalid answer', 'RulesInvalidResponse');
    if (verdict.kind !== 'refuse' && verdict.keyCheckNeeded) return KEY_CHECK_NEEDED;
    return { outcome: 'decided', change: laterJudgement(record, verdict), decision: madeAt(decision, input.at) };
  });
}

async function decided(
  withdrawals: WithdrawalStore,
  ref: PaymentRef,
  decide: (row: WithdrawalRow) => Judging | Promise<Judging>,
): Promise<WithdrawalDecided> {
  const { row, outcome } = await decideAndStore(withdrawals, ref, decide);
  return { ...answerOf(row, ref.at), outcome };
}

/** The directory was asked, so a missing answer counts as unavailable. */
function asked(keyOwner: KeyOwnerFinding): KeyOwnerFinding {
  return keyOwner === 'not_asked' ? 'unavailable' : keyOwner;
}

/** The verdict on a stored withdrawal; `null` if the answer has another shape. Throws if the rules do not answer. */
async function ask(
  rules: RulesEngine | null,
  { order }: WithdrawalRow,
  question: Pick<WithdrawalQuestion, 'stage' | 'keyOwner' | 'at'>,
): Promise<{ readonly verdict: WithdrawalVerdict | null; readonly decision: DecisionRecord | null }> {
  const { verdict, record } = await askRules(rules, (engine) => engine.decideWithdrawal({ order, ...question }));
  return isWithdrawalVerdict(verdict) ? { verdict, decision: record } : { verdict: null, decision: null };
}

/** The decision with the moment at which it was made, not that of its facts. */
function madeAt(decision: DecisionRecord | null, at: string): DecisionRecord | null {
  return decision === null ? null : { ...decision, at };
}
