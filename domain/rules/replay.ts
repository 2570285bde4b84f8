// Evaluates stored facts again. The stage and the kind of object select the table of rules.
import type { DepositFacts, PaymentFacts } from './deposit-rules.js';
import type { DispatchFacts } from './dispatch-rules.js';
import { evaluateDeposit, evaluateDispatch, evaluatePayment, evaluateWithdrawal, type Evaluation } from './engine.js';
import type { Thresholds } from './thresholds.js';
import type { WithdrawalFacts } from './withdrawal-rules.js';

export type DecisionStage = 'creation' | 'dict' | 'review' | 'payment' | 'dispatch';

/** The stored facts of a decision, as JSON. Their shape depends on the stage and the kind of object. */
export interface StoredQuestion {
  readonly objectId: string;
  readonly stage: DecisionStage;
  readonly facts: object;
}

/** The outcome of any decision. */
export interface AnyOutcome {
  readonly kind: string;
  readonly reasons?: readonly string[];
}

/** Evaluates the facts under these thresholds. */
export function reevaluate({ objectId, stage, facts }: StoredQuestion, thresholds: Thresholds): Evaluation<AnyOutcome> {
  switch (stage) {
    case 'creation':
      return isWithdrawal(objectId)
        ? evaluateWithdrawal(stage, facts as WithdrawalFacts, thresholds)
        : evaluateDeposit(facts as DepositFacts, thresholds);
    case 'dict':
    case 'review':
      return evaluateWithdrawal(stage, facts as WithdrawalFacts, thresholds);
    case 'payment':
      return evaluatePayment(facts as PaymentFacts, thresholds);
    case 'dispatch':
      return evaluateDispatch(facts as DispatchFacts, thresholds);
  }
}

export function isWithdrawal(objectId: string): boolean {
  return objectId.startsWith('wdr_');
}
