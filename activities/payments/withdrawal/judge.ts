// What decides a stored withdrawal: the directory names the holder of its key, and the rules decide one that waited for
// that, and one under review that they never judged.
import { ApplicationFailure } from '@temporalio/activity';
import type { PaymentRef } from '../../../contract/temporal/payment-steps.js';
import type { WithdrawalQuestion } from '../../../contract/temporal/rule-questions.js';
import type { WithdrawalChange } from '../../../domain/payments/withdrawal-record.js';
import {
  awaitsKeyOwner,
  belongsToAnother,
  keyOwnerChange,
  laterJudgement,
  requestedDecision,
  requestedUndecided,
} from '../../../domain/payments/withdrawal-verdicts.js';
import { isWithdrawalVerdict, type KeyOwnerFinding, type WithdrawalVerdict } from '../../../domain/rules/verdicts.js';
import type { WithdrawalRow } from '../../../store/payments/withdrawal/read.js';
import type { DecisionRecord } from '../../../store/rules/decisions.js';
import { askRules, type RulesEngine } from '../../rules.js';
import { decideAndStore, type Decision } from '../step.js';
import type { KeyOwnerLookedUp, WithdrawalDecided, WithdrawalRulesSteps } from '../types.js';
import { answerOf, type WithdrawalDependencies, type WithdrawalStore } from './ports.js';

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

/** Looks the holder of the PIX key up and stores the directory's answer with what follows from it. */
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
