// The activities of the rules engine: read the facts, decide, store the decision whole, answer.
import { automaticUseAt } from '../../domain/rules/automatic-use.js';
import { limitsHistory } from '../../domain/rules/deposit-rules.js';
import { evaluateDeposit, evaluateDispatch, evaluatePayment, evaluateWithdrawal } from '../../domain/rules/engine.js';
import type { Database } from '../../store/database.js';
import type { Sealer } from '../../store/sealing/sealer.js';
import { storeDecision } from '../../store/rules/decisions.js';
import { readDepositFacts, readPaymentFacts } from '../../store/rules/facts/deposit-facts.js';
import { readDispatchFacts } from '../../store/rules/facts/dispatch-facts.js';
import type { RulesActivities } from './types.js';
import { readWithdrawalFacts } from '../../store/rules/facts/withdrawal-facts.js';

export type { RulesActivities } from './types.js';

/** Functions of their input and the database only: the clock is each question's `at`. Two statements per decision. */
export function createRulesActivities({
  database,
  sealer,
}: {
  readonly database: Database;
  readonly sealer: Sealer;
}): RulesActivities {
  return {
    async decideDeposit(question) {
      const { facts, thresholds, ruleSetVersion, playerRevision } = await readDepositFacts(database, sealer, question);
      const { outcome, reports } = evaluateDeposit(facts, thresholds);
      const { operationId, depositId, playerRef } = question.order;
      await storeDecision(database, {
        operationId,
        objectId: depositId,
        playerRef,
        stage: 'creation',
        ruleSetVersion,
        facts,
        thresholds,
        reports,
        outcome,
        at: question.at,
      });
      if (outcome.kind === 'refuse') return { ...outcome, ruleSetVersion };
      return { ...outcome, ruleSetVersion, ...(limitsHistory(thresholds) ? { playerRevision } : {}) };
    },

    async assessPayment(question) {
      const { facts, thresholds, ruleSetVersion } = await readPaymentFacts(database, sealer, question);
      const { outcome, reports } = evaluatePayment(facts, thresholds);
      const { operationId, depositId, playerRef } = question;
      await storeDecision(database, {
        operationId,
        objectId: depositId,
        playerRef,
        stage: 'payment',
        ruleSetVersion,
        facts,
        thresholds,
        reports,
        outcome,
        at: question.at,
      });
      return { ...outcome, ruleSetVersion };
    },

    async decideWithdrawal(question) {
      const { facts, thresholds, ruleSetVersion, playerRevision } = await readWithdrawalFacts(
        database,
        sealer,
        question,
      );
      const { outcome, reports } = evaluateWithdrawal(question.stage, facts, thresholds);
      const { operationId, withdrawalId, playerRef } = question.order;
      await storeDecision(database, {
        operationId,
        objectId: withdrawalId,
        playerRef,
        stage: question.stage,
        ruleSetVersion,
        facts,
        thresholds,
        reports,
        outcome,
        at: question.at,
      });
      if (outcome.kind === 'refuse') return { ...outcome, ruleSetVersion };
      if (outcome.kind === 'review') return { ...outcome, ruleSetVersion, playerRevision };
      return { ...outcome, ruleSetVersion, playerRevision, automaticUse: automaticUseAt(question.at, thresholds) };
    },

    async decideDispatch(question) {
      const { facts, thresholds, ruleSetVersion } = await readDispatchFacts(database, question);
      const { outcome, reports } = evaluateDispatch(facts, thresholds);
      const { operationId, withdrawalId } = question;
      await storeDecision(database, {
        operationId,
        objectId: withdrawalId,
        stage: 'dispatch',
        ruleSetVersion,
        facts,
        thresholds,
        reports,
        outcome,
        at: question.at,
      });
      return { ...outcome, ruleSetVersion };
    },
  };
}
