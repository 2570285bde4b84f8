// The rules engine: facts and thresholds in, verdict and every rule's own finding out. Pure; the same input always gives
// the same answer, so a stored decision can be evaluated again.
import { DEPOSIT_RULES, type DepositFacts, PAYMENT_RULES, type PaymentFacts } from './deposit-rules.js';
import { DISPATCH_RULES, type DispatchFacts } from './dispatch-rules.js';
import { nextOpening } from './local-time.js';
import { evaluateRules, type RuleReport } from './rule.js';
import type { Thresholds } from './thresholds.js';
import type { DepositVerdict, DispatchVerdict, PaymentVerdict, WithdrawalVerdict } from './verdicts.js';
import { WITHDRAWAL_RULES, type WithdrawalFacts, type WithdrawalStage } from './withdrawal-rules.js';

type WithoutOrigin<Verdict> = Verdict extends unknown ? Omit<Verdict, 'ruleSetVersion' | 'playerRevision'> : never;

/** A verdict before it is signed with the rule set's version; stored as the decision's outcome. */
export type DepositOutcome = WithoutOrigin<DepositVerdict>;
export type PaymentOutcome = WithoutOrigin<PaymentVerdict>;
export type WithdrawalOutcome = WithoutOrigin<WithdrawalVerdict>;
export type DispatchOutcome = WithoutOrigin<DispatchVerdict>;

export interface Evaluation<Outcome> {
  readonly outcome: Outcome;
  /** Every rule of the stage in the order of its table. */
  readonly reports: readonly RuleReport[];
}

/** May this deposit be created? The first hit names the refusal; `reasons` are all hits. */
export function evaluateDeposit(facts: DepositFacts, thresholds: Thresholds): Evaluation<DepositOutcome> {
  const { hits, reports } = evaluateRules(DEPOSIT_RULES, 'creation', facts, thresholds);
  const [first] = hits;
  if (first === undefined) return { outcome: { kind: 'accept' }, reports };
  return { outcome: { kind: 'refuse', code: first.consequence, reasons: hits.map(({ code }) => code) }, reports };
}

/** May this payment be credited at once? Any hit holds it for people; `reasons` are all hits. */
export function evaluatePayment(facts: PaymentFacts, thresholds: Thresholds): Evaluation<PaymentOutcome> {
  const { hits, reports } = evaluateRules(PAYMENT_RULES, 'payment', facts, thresholds);
  if (hits.length === 0) return { outcome: { kind: 'credit' }, reports };
  return { outcome: { kind: 'review', reasons: hits.map(({ consequence }) => consequence) }, reports };
}

/**
 * Automatic, to people, or not at all? A block outranks every review code: `reasons` are then the blocks that hit, and
 * the first of them names the refusal. Otherwise `reasons` are the review codes that hit; none means automatic.
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

/** A key that cannot stand in the directory is not asked for: a miss costs the whole operation's budget. */
function isKeyCheckNeeded({ keyHolder, keyOwner, keyWellFormed }: WithdrawalFacts): boolean {
  return keyHolder === 'in_directory' && keyOwner === 'not_asked' && keyWellFormed;
}

/** May an approved withdrawal be sent now? The first hit decides: a block, then whatever has to be waited for. */
export function evaluateDispatch(facts: DispatchFacts, thresholds: Thresholds): Evaluation<DispatchOutcome> {
  const { hits, reports } = evaluateRules(DISPATCH_RULES, 'dispatch', facts, thresholds);
  const [first] = hits;
  if (first === undefined) return { outcome: { kind: 'send' }, reports };
  if (first.consequence === 'blocked') return { outcome: { kind: 'blocked' }, reports };
  if (first.consequence === 'automatic_hours') return { outcome: waitForHours(facts, thresholds), reports };
  return { outcome: { kind: 'wait', for: first.consequence, until: null }, reports };
}

function waitForHours({ at }: DispatchFacts, { autoHours, timezone }: Thresholds): DispatchOutcome {
  if (autoHours === null) throw new Error('no hours to wait for');
  return { kind: 'wait', for: 'automatic_hours', until: nextOpening(new Date(at), timezone, autoHours).toISOString() };
}
