// The rules engine: facts and thresholds in, verdict and the finding of every rule out. Pure: the same input gives the
// same result, so stored decisions can be evaluated again.
import { DEPOSIT_RULES, type DepositFacts, PAYMENT_RULES, type PaymentFacts } from './deposit-rules.js';
import { DISPATCH_RULES, type DispatchConsequence, type DispatchFacts } from './dispatch-rules.js';
import { nextOpening } from './local-time.js';
import { evaluateRules, type RuleReport } from './rule.js';
import type { Thresholds } from './thresholds.js';
import type { DepositVerdict, DispatchVerdict, PaymentVerdict, WithdrawalVerdict } from './verdicts.js';
import { WITHDRAWAL_RULES, type WithdrawalFacts, type WithdrawalStage } from './withdrawal-rules.js';

type WithoutOrigin<Verdict> = Verdict extends unknown ? Omit<Verdict, 'ruleSetVersion' | 'playerRevision'> : never;

/** A verdict without the version of the rule set. It is stored as the decision's outcome. */
export type DepositOutcome = WithoutOrigin<DepositVerdict>;
export type PaymentOutcome = WithoutOrigin<PaymentVerdict>;
export type WithdrawalOutcome = WithoutOrigin<WithdrawalVerdict>;
export type DispatchOutcome = WithoutOrigin<DispatchVerdict>;

export interface Evaluation<Outcome> {
  readonly outcome: Outcome;
  /** Every rule of the stage in the order of its table. */
  readonly reports: readonly RuleReport[];
}

/** Decides whether a deposit may be created. The first hit gives the refusal; `reasons` are all hits. */
export function evaluateDeposit(facts: DepositFacts, thresholds: Thresholds): Evaluation<DepositOutcome> {
  const { hits, reports } = evaluateRules(DEPOSIT_RULES, 'creation', facts, thresholds);
  const [first] = hits;
  if (first === undefined) return { outcome: { kind: 'accept' }, reports };
  return { outcome: { kind: 'refuse', code: first.consequence, reasons: hits.map(({ code }) => code) }, reports };
}

/** Decides whether a payment may be credited at once. Any hit causes a review; `reasons` are all hits. */
export function evaluatePayment(facts: PaymentFacts, thresholds: Thresholds): Evaluation<PaymentOutcome> {
  const { hits, reports } = evaluateRules(PAYMENT_RULES, 'payment', facts, thresholds);
  if (hits.length === 0) return { outcome: { kind: 'credit' }, reports };
  return { outcome: { kind: 'review', reasons: hits.map(({ consequence }) => consequence) }, reports };
}

/**
 * Decides a withdrawal. If blocks hit, they are the `reasons`, and the first one gives the refusal. Otherwise the
 * `reasons` are the review codes that hit; without any the withdrawal is automatic.
 */
export function evaluateWithdrawal(
  stage: WithdrawalStage,
  facts: WithdrawalFacts,
  thresholds: Thresholds,
): Evaluation<WithdrawalOutcome> {
  const { hits, reports } = evaluateRules(WITHDRAWAL_RULES, stage, facts, thresholds);
  const refusals = hits.flatMap(({ code, consequence }) =>
    consequence.kind === 'refuse' ? [{ code, refusal: consequence.code }] : [],
  );
  const [first] = refusals;
  if (first !== undefined)
    return { outcome: { kind: 'refuse', code: first.refusal, reasons: refusals.map(({ code }) => code) }, reports };
  const reasons = hits.map(({ code }) => code);
  return {
    outcome: { kind: reasons.length === 0 ? 'automatic' : 'review', reasons, keyCheckNeeded: isKeyCheckNeeded(facts) },
    reports,
  };
}

/** A malformed key is not looked up: a miss costs tokens of the shared budget. */
function isKeyCheckNeeded({ keyHolder, keyOwner, keyWellFormed }: WithdrawalFacts): boolean {
  return keyHolder === 'in_directory' && keyOwner === 'not_asked' && keyWellFormed;
}

/** Decides whether an approved withdrawal may be sent now. The first hit decides: a block, then the waits. */
export function evaluateDispatch(facts: DispatchFacts, thresholds: Thresholds): Evaluation<DispatchOutcome> {
  const { hits, reports } = evaluateRules(DISPATCH_RULES, 'dispatch', facts, thresholds);
  const [first] = hits;
  return {
    outcome: first === undefined ? { kind: 'send' } : dispatchOutcome(first.consequence, facts, thresholds),
    reports,
  };
}

function dispatchOutcome(
  consequence: DispatchConsequence,
  facts: DispatchFacts,
  thresholds: Thresholds,
): DispatchOutcome {
  switch (consequence) {
    case 'blocked':
      return { kind: 'blocked' };
    case 'automatic_hours':
      return waitForHours(facts, thresholds);
    case 'cash_box':
    case 'operation_suspended':
    case 'provider_paused':
      return { kind: 'wait', for: consequence, until: null };
  }
}

function waitForHours({ at }: DispatchFacts, { autoHours, timezone }: Thresholds): DispatchOutcome {
  if (autoHours === null) throw new Error('no hours to wait for');
  return { kind: 'wait', for: 'automatic_hours', until: nextOpening(new Date(at), timezone, autoHours).toISOString() };
}

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

/**
 * Evaluates stored facts under these thresholds. The stage and the kind of object select the table of rules.
 */
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
