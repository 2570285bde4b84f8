// The rules engine over PostgreSQL, and how steps ask it: read the facts in one statement, decide, and answer the
// verdict with the decision to store, which the caller stores in the statement that stores what follows from it.
import { ApplicationFailure, asyncLocalStorage } from '@temporalio/activity';
import { RULES_ELSEWHERE } from '../contract/temporal/payment-steps.js';
import type {
  DepositQuestion,
  DispatchQuestion,
  PaymentQuestion,
  WithdrawalQuestion,
} from '../contract/temporal/rule-questions.js';
import { automaticUseAt } from '../domain/rules/automatic-limits.js';
import { limitsHistory } from '../domain/rules/deposit-rules.js';
import { evaluateDeposit, evaluateDispatch, evaluatePayment, evaluateWithdrawal } from '../domain/rules/engine.js';
import type { DepositVerdict, DispatchVerdict, PaymentVerdict, WithdrawalVerdict } from '../domain/rules/verdicts.js';
import type { Database } from '../store/database.js';
import type { DecisionRecord } from '../store/rules/decisions.js';
import { readDepositFacts, readPaymentFacts } from '../store/rules/facts/deposit-facts.js';
import { readDispatchFacts, readWithdrawalFacts } from '../store/rules/facts/withdrawal-facts.js';
import type { Sealer } from '../store/sealing/sealer.js';
import { within } from './within.js';

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

/**
 * Each answer depends on its question and the database only, and takes the time from the question's `at`. Each reads
 * its facts in one statement.
 */
export function createRulesEngine({
  database,
  sealer,
}: {
  readonly database: Database;
  readonly sealer: Sealer;
}): RulesEngine {
  return {
    decideDeposit: (question) => decideDeposit(database, sealer, question),
    assessPayment: (question) => assessPayment(database, sealer, question),
    decideWithdrawal: (question) => decideWithdrawal(database, sealer, question),
    decideDispatch: (question) => decideDispatch(database, question),
  };
}

async function decideDeposit(
  database: Database,
  sealer: Sealer,
  question: DepositQuestion,
): Promise<Decision<DepositVerdict>> {
  const reading = await readDepositFacts(database, sealer, question);
  const { facts, thresholds, ruleSetVersion, playerRevision } = reading;
  const { outcome, reports } = evaluateDeposit(facts, thresholds);
  const { operationId, id: objectId, playerRef } = question.order;
  const about = { operationId, objectId, playerRef, stage: 'creation', at: question.at } as const;
  const record = { ...about, ruleSetVersion, facts, thresholds, reports, outcome };
  if (outcome.kind === 'refuse') return { verdict: { ...outcome, ruleSetVersion }, record };
  const revision = limitsHistory(thresholds) ? { playerRevision } : {};
  return { verdict: { ...outcome, ruleSetVersion, ...revision }, record };
}

async function assessPayment(
  database: Database,
  sealer: Sealer,
  question: PaymentQuestion,
): Promise<Decision<PaymentVerdict>> {
  const { facts, thresholds, ruleSetVersion } = await readPaymentFacts(database, sealer, question);
  const { outcome, reports } = evaluatePayment(facts, thresholds);
  const { operationId, id: objectId, playerRef } = question;
  const about = { operationId, objectId, playerRef, stage: 'payment', at: question.at } as const;
  const record = { ...about, ruleSetVersion, facts, thresholds, reports, outcome };
  return { verdict: { ...outcome, ruleSetVersion }, record };
}

async function decideWithdrawal(
  database: Database,
  sealer: Sealer,
  question: WithdrawalQuestion,
): Promise<Decision<WithdrawalVerdict>> {
  const reading = await readWithdrawalFacts(database, sealer, question);
  const { facts, thresholds, ruleSetVersion, playerRevision } = reading;
  const { stage, at } = question;
  const { outcome, reports } = evaluateWithdrawal(stage, facts, thresholds);
  const { operationId, id: objectId, playerRef } = question.order;
  const about = { operationId, objectId, playerRef, stage, at };
  const record = { ...about, ruleSetVersion, facts, thresholds, reports, outcome };
  if (outcome.kind === 'refuse') return { verdict: { ...outcome, ruleSetVersion }, record };
  if (outcome.kind === 'review') return { verdict: { ...outcome, ruleSetVersion, playerRevision }, record };
  const automaticUse = automaticUseAt(facts.createdAt, thresholds);
  return { verdict: { ...outcome, ruleSetVersion, playerRevision, automaticUse }, record };
}

async function decideDispatch(database: Database, question: DispatchQuestion): Promise<Decision<DispatchVerdict>> {
  const { facts, thresholds, ruleSetVersion } = await readDispatchFacts(database, question);
  const { outcome, reports } = evaluateDispatch(facts, thresholds);
  const { operationId, id: objectId } = question;
  const about = { operationId, objectId, stage: 'dispatch', at: question.at } as const;
  const record = { ...about, ruleSetVersion, facts, thresholds, reports, outcome };
  return { verdict: { ...outcome, ruleSetVersion }, record };
}

const LOCAL_PATIENCE_MS = 1_500;

/**
 * Asks the rules from a step. A step that runs in its workflow's own task has no time to wait for them: it continues
 * where the rules are served. Throws RULES_ELSEWHERE if the rules are slow or not served here. Passes on what the
 * engine throws.
 */
export async function askRules<Verdict>(
  rules: RulesEngine | null,
  ask: (rules: RulesEngine) => Promise<Decision<Verdict>>,
): Promise<Decision<Verdict>> {
  if (rules === null) throw elsewhere('this process does not serve the rules');
  const asked = ask(rules);
  if (!isLocal()) return asked;
  const answer = await within(LOCAL_PATIENCE_MS, asked);
  if (answer === null) throw elsewhere('the rules are slow');
  return answer;
}

/** Whether the step runs as a local activity. */
function isLocal(): boolean {
  return asyncLocalStorage.getStore()?.info.isLocal ?? true;
}

function elsewhere(message: string): ApplicationFailure {
  return ApplicationFailure.nonRetryable(message, RULES_ELSEWHERE);
}
