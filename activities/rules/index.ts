// The rules engine over PostgreSQL: read the facts, decide, and answer the verdict with the decision to store.
import type {
  DepositQuestion,
  DispatchQuestion,
  PaymentQuestion,
  WithdrawalQuestion,
} from '../../contract/temporal/rule-questions.js';
import { automaticUseAt } from '../../domain/rules/automatic-limits.js';
import { limitsHistory } from '../../domain/rules/deposit-rules.js';
import { evaluateDeposit, evaluateDispatch, evaluatePayment, evaluateWithdrawal } from '../../domain/rules/engine.js';
import type {
  DepositVerdict,
  DispatchVerdict,
  PaymentVerdict,
  WithdrawalVerdict,
} from '../../domain/rules/verdicts.js';
import type { Database } from '../../store/database.js';
import { readDepositFacts, readPaymentFacts } from '../../store/rules/facts/deposit-facts.js';
import { readDispatchFacts, readWithdrawalFacts } from '../../store/rules/facts/withdrawal-facts.js';
import type { Sealer } from '../../store/sealing/sealer.js';
import type { Decision, RulesEngine } from './types.js';

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
