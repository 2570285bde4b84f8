// The checks before the send: lists, operation, automatic hours and cash box.
import { ApplicationFailure } from '@temporalio/activity';
import type { PaymentRef } from '../../../contract/temporal/payment-steps.js';
import { type DispatchVerdict, isDispatchVerdict } from '../../../domain/rules/verdicts.js';
import { blockedAtDispatch } from '../../../domain/payments/withdrawal-verdicts.js';
import { sendStateOf, type WithdrawalRecord } from '../../../domain/payments/withdrawal-record.js';
import { mayHaveLeft } from '../../../domain/payments/withdrawal.js';
import type { DecisionRecord } from '../../../store/rules/decisions.js';
import type { WithdrawalRow } from '../../../store/payments/withdrawal/read.js';
import { untilStored } from '../until-stored.js';
import { askRules } from '../../rules/asking.js';
import { answerOf } from './answers.js';
import type { WithdrawalDependencies, WithdrawalStore } from './ports.js';
import type { DispatchCleared } from './types.js';

export function clearDispatch(
  { withdrawals, rules }: WithdrawalDependencies,
  ref: PaymentRef,
): Promise<DispatchCleared> {
  const { id, operationId, at } = ref;
  return untilStored(async (): Promise<DispatchCleared | null> => {
    const row = await withdrawals.read(ref);
    if (isOver(row.record)) return { ...answerOf(row, at), outcome: { kind: 'over' } };
    const { verdict, record } = await askRules(rules, (engine) => engine.decideDispatch({ id, operationId, at }));
    if (!isDispatchVerdict(verdict))
      throw ApplicationFailure.retryable('the rules gave an invalid answer', 'RulesInvalidResponse');
    return applied(withdrawals, row, verdict, record, at);
  });
}

/** `null` if the withdrawal has changed since it was read. */
async function applied(
  withdrawals: WithdrawalStore,
  row: WithdrawalRow,
  verdict: DispatchVerdict,
  decision: DecisionRecord | null,
  at: string,
): Promise<DispatchCleared | null> {
  switch (verdict.kind) {
    case 'send': {
      const cleared = await withdrawals.clear(row, decision);
      return cleared === null ? null : { ...answerOf(cleared, at), outcome: { kind: 'clear' } };
    }
    case 'blocked': {
      const blocked = await withdrawals.store({ row, change: blockedAtDispatch(row.record), at, decision });
      return blocked === null ? null : { ...answerOf(blocked, at), outcome: { kind: 'over' } };
    }
    case 'wait': {
      if (decision !== null) await withdrawals.storeDecision(decision);
      const { ruleSetVersion: _, ...outcome } = verdict;
      return { ...answerOf(row, at), outcome };
    }
  }
}

function isOver(record: WithdrawalRecord): boolean {
  return record.snapshot.status !== 'approved' || mayHaveLeft(sendStateOf(record));
}
