// The checks before the send: lists, operation, automatic hours and cash box.
import { ApplicationFailure } from '@temporalio/activity';
import { type DispatchVerdict, isDispatchVerdict } from '../../domain/rules/verdicts.js';
import { blockedAtDispatch } from '../../domain/withdrawal-review.js';
import { sendStateOf, type WithdrawalRecord } from '../../domain/withdrawal-record.js';
import { mayHaveLeft } from '../../domain/withdrawal.js';
import type { DecisionRecord } from '../../store/rules/decisions.js';
import type { HeldWithdrawal } from '../../store/withdrawals/held.js';
import { untilStored } from '../payments/until-stored.js';
import { askRules } from '../rules/asking.js';
import type { WithdrawalDependencies } from './ports.js';
import { answered, keptChanging } from './step.js';
import type { DispatchCleared, WithdrawalRulesSteps } from './types.js';

export function createDispatchStep({
  withdrawals,
  engine,
}: WithdrawalDependencies): Pick<WithdrawalRulesSteps, 'clearDispatch'> {
  /** `null` if the withdrawal has changed since it was read. */
  async function applied(
    held: HeldWithdrawal,
    verdict: DispatchVerdict,
    decision: DecisionRecord | null,
    at: string,
  ): Promise<DispatchCleared | null> {
    switch (verdict.kind) {
      case 'send': {
        const cleared = await withdrawals.clear(held, decision);
        return cleared === null ? null : { ...answered(cleared, at), outcome: { kind: 'clear' } };
      }
      case 'blocked': {
        const stored = await withdrawals.store({ held, change: blockedAtDispatch(held.record), at, decision });
        return stored.kind === 'stored' ? { ...answered(stored.held, at), outcome: { kind: 'over' } } : null;
      }
      case 'wait': {
        if (decision !== null) await withdrawals.storeDecision(decision);
        const { ruleSetVersion: _, ...outcome } = verdict;
        return { ...answered(held, at), outcome };
      }
    }
  }

  return {
    async clearDispatch(ref) {
      const { id: withdrawalId, operationId, at } = ref;
      return untilStored(async (): Promise<DispatchCleared | null> => {
        const held = await withdrawals.read(ref);
        if (isOver(held.record)) return { ...answered(held, at), outcome: { kind: 'over' } };
        const { verdict, record } = await askRules(engine, (rules) =>
          rules.decideDispatch({ withdrawalId, operationId, at }),
        );
        if (!isDispatchVerdict(verdict))
          throw ApplicationFailure.retryable('the rules gave an invalid answer', 'RulesInvalidResponse');
        return applied(held, verdict, record, at);
      }, keptChanging);
    },
  };
}

function isOver(record: WithdrawalRecord): boolean {
  return record.snapshot.status !== 'approved' || mayHaveLeft(sendStateOf(record));
}
