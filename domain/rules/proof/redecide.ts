// Decides one stored question again under other rules, and says why its outcome flips. When its facts are not enough,
// it is not comparable.
import { approvalsNeeded } from '../../payments/withdrawal.js';
import type { DepositFacts, PaymentFacts } from '../deposit-rules.js';
import type { DispatchFacts } from '../dispatch-rules.js';
import { type EngineRules, vipTierOf } from '../engine-rules.js';
import { engineOf, type Thresholds } from '../thresholds.js';
import { type AnyOutcome, type DecisionStage, isWithdrawal, reevaluate } from '../engine.js';
import { type RuleReport, type ShownExplanation, shownExplanation } from '../rule.js';
import type { WithdrawalFacts } from '../withdrawal-rules.js';

/** The subjects of decisions, each with all its outcomes. */
export const SUBJECT_OUTCOMES = {
  withdrawal: ['automatic', 'review', 'refuse'],
  deposit: ['accept', 'refuse'],
  payment: ['credit', 'review'],
  dispatch: ['send', 'wait', 'blocked'],
} as const;
export type Subject = keyof typeof SUBJECT_OUTCOMES;

export interface StoredDecision {
  readonly facts: object;
  readonly outcome: AnyOutcome;
  /** The time zone of the rules at that time. */
  readonly timezone: string;
}

/** A decision on a withdrawal that existed already. */
export interface LaterDecision extends StoredDecision {
  readonly stage: 'dict' | 'review';
}

/**
 * A decided question. A withdrawal whose key was looked up, or that the rules judged again under review, has a second
 * decision, `later`.
 */
export interface DecidedCase {
  readonly objectId: string;
  readonly stage: Exclude<DecisionStage, 'dict'>;
  /** RFC 3339. */
  readonly decidedAt: string;
  /** Null when the payment was never stored. */
  readonly playerRef: string | null;
  /** Null when it is unknown. */
  readonly amountMinor: bigint | null;
  readonly decision: StoredDecision;
  readonly later: LaterDecision | null;
}

/** One currency's thresholds and the engine configuration that they come from. */
export interface Rules {
  readonly thresholds: Thresholds;
  readonly engine: EngineRules;
}

/**
 * Why a question cannot be decided under other rules. `facts_missing`: the stored facts lack what a rule compares.
 * `directory_not_asked`: it was refused before the key look-up that would now be needed. `facts_of_other_rules`: the
 * stored counts depend on the rules of that time, such as the local day of another time zone.
 */
export const NOT_COMPARABLE = ['facts_missing', 'directory_not_asked', 'facts_of_other_rules'] as const;
export type NotComparable = (typeof NOT_COMPARABLE)[number];

export interface MadeDecision {
  readonly kind: 'decided';
  readonly outcome: AnyOutcome;
  readonly reports: readonly RuleReport[];
}
export type NewDecision = MadeDecision | { readonly kind: 'not_comparable'; readonly because: NotComparable };

/** The subject of the case. */
export function subjectOf({ objectId, stage }: Pick<DecidedCase, 'objectId' | 'stage'>): Subject {
  switch (stage) {
    case 'creation':
      return isWithdrawal(objectId) ? 'withdrawal' : 'deposit';
    case 'review':
      return 'withdrawal';
    case 'payment':
    case 'dispatch':
      return stage;
  }
}

/** The recorded outcome: that of the later decision, if there was one. */
export function decidedThen({ decision, later }: DecidedCase): AnyOutcome {
  return (later ?? decision).outcome;
}

/** Whether a withdrawal with this decision waits for two people. */
export function needsTwoPeople({ outcome }: MadeDecision): boolean {
  return outcome.kind === 'review' && approvalsNeeded(outcome.reasons ?? []) === 2;
}

/** The outcome under these rules. A withdrawal that they refuse at creation needs no key look-up. */
export function redecide(asked: DecidedCase, rules: Rules): NewDecision {
  if (asked.amountMinor === null) return { kind: 'not_comparable', because: 'facts_missing' };
  const first = evaluateAgain(asked, asked.stage, asked.decision, rules);
  if (first.kind === 'not_comparable' || subjectOf(asked) !== 'withdrawal' || first.outcome.kind === 'refuse')
    return first;
  if (asked.later !== null) return evaluateAgain(asked, asked.later.stage, asked.later, rules);
  return isDirectoryNeeded(first.outcome) ? { kind: 'not_comparable', because: 'directory_not_asked' } : first;
}

function evaluateAgain(
  { objectId, playerRef }: DecidedCase,
  stage: DecisionStage,
  decision: StoredDecision,
  rules: Rules,
): NewDecision {
  if (!isWhole(objectId, stage, decision.facts)) return { kind: 'not_comparable', because: 'facts_missing' };
  if (isOfAnotherDay(decision, rules.thresholds)) return { kind: 'not_comparable', because: 'facts_of_other_rules' };
  const facts =
    stage !== 'dispatch' && isWithdrawal(objectId)
      ? withTier(decision.facts as WithdrawalFacts, playerRef, rules.engine)
      : decision.facts;
  if (facts === null) return { kind: 'not_comparable', because: 'facts_missing' };
  const { outcome, reports } = reevaluate({ objectId, stage, facts }, rules.thresholds);
  return { kind: 'decided', outcome, reports };
}

function isDirectoryNeeded(outcome: AnyOutcome): boolean {
  return 'keyCheckNeeded' in outcome && outcome.keyCheckNeeded === true;
}

/** The sum of automatic payouts per local day exists for the time zone of that time only. */
function isOfAnotherDay({ facts, timezone }: StoredDecision, thresholds: Thresholds): boolean {
  return (
    'risk' in facts && engineOf(thresholds).operationAutoCap.perDayMinor !== null && timezone !== thresholds.timezone
  );
}

/** Replaces the player's VIP tier by that of these rules; `null` when the player is unknown. */
function withTier(facts: WithdrawalFacts, playerRef: string | null, engine: EngineRules): WithdrawalFacts | null {
  const { risk } = facts;
  const hasTiers = Object.keys(engine.vip_players ?? {}).length > 0;
  if (hasTiers && playerRef === null) return null;
  return { ...facts, risk: { ...risk, vipTier: playerRef === null ? null : vipTierOf(engine, playerRef) } };
}

type RequiredFacts<Facts> = Readonly<Record<keyof Facts, true>>;

// A decision that was stored before a rule was added lacks the facts of that rule, and is not comparable.
const WITHDRAWAL_FACTS: RequiredFacts<WithdrawalFacts> = {
  at: true,
  createdAt: true,
  amountMinor: true,
  documentUsable: true,
  document: true,
  documentShared: true,
  playerBlocked: true,
  documentBlocked: true,
  destinationBlocked: true,
  playerOnReviewList: true,
  destinationOnReviewList: true,
  ipListed: true,
  deviceListed: true,
  hasPlayerIp: true,
  reviewRequested: true,
  keyWellFormed: true,
  keyHolder: true,
  keyOwner: true,
  keyFirstUsedAt: true,
  hadOtherKeyBefore: true,
  keyPaidBefore: true,
  keyUsedByOthers: true,
  ipSeenBefore: true,
  deviceSeenBefore: true,
  settledDepositCount: true,
  settledDepositsMinor: true,
  paidWithdrawalCount: true,
  countedWithdrawalsMinor: true,
  recentWithdrawals: true,
  availableMinor: true,
  risk: true,
};
const DEPOSIT_FACTS: RequiredFacts<DepositFacts> = {
  at: true,
  amountMinor: true,
  document: true,
  playerBlocked: true,
  documentBlocked: true,
  history: true,
};
const PAYMENT_FACTS: RequiredFacts<PaymentFacts> = {
  at: true,
  paidAt: true,
  expiresAt: true,
  chargedAmountMinor: true,
  paidAmountMinor: true,
  payer: true,
  payerBlocked: true,
  playerBlocked: true,
};
const DISPATCH_FACTS: RequiredFacts<DispatchFacts> = {
  at: true,
  playerBlocked: true,
  documentBlocked: true,
  destinationBlocked: true,
  operationSuspended: true,
  automaticStopped: true,
  providerPaused: true,
  availableMinor: true,
};

function isWhole(objectId: string, stage: DecisionStage, facts: object): boolean {
  return Object.keys(requiredFacts(objectId, stage)).every((name) => name in facts);
}

function requiredFacts(objectId: string, stage: DecisionStage): object {
  switch (stage) {
    case 'creation':
      return isWithdrawal(objectId) ? WITHDRAWAL_FACTS : DEPOSIT_FACTS;
    case 'dict':
    case 'review':
      return WITHDRAWAL_FACTS;
    case 'payment':
      return PAYMENT_FACTS;
    case 'dispatch':
      return DISPATCH_FACTS;
  }
}

export interface Why {
  readonly code: string;
  /** `hits`: hits under the proposed rules only. `passes`: hit under the rules in force only. */
  readonly proposed: 'hits' | 'passes';
  /** The values under the proposed rules; empty when they do not use the rule. No personal data. */
  readonly compared: ShownExplanation;
}

/** One flipped decision. Ids and amounts only. */
export interface FlipExample {
  readonly object_id: string;
  readonly decided_at: string;
  readonly amount_minor: string;
  readonly why: readonly Why[];
}

/** The rules that hit under one rule set only, in the order of their table, with the values that they compare. */
export function whyFlipped(before: readonly RuleReport[], after: readonly RuleReport[]): Why[] {
  const hitBefore = new Set(before.filter(isHit).map(({ code }) => code));
  const reportsAfter = new Map(after.map((report) => [report.code, report]));
  const appeared = after
    .filter((report) => isHit(report) && !hitBefore.has(report.code))
    .map(({ code, compared }): Why => ({ code, proposed: 'hits', compared: shownExplanation(compared) }));
  const gone = before.filter(isHit).flatMap(({ code }): Why[] => {
    const report = reportsAfter.get(code);
    return report !== undefined && isHit(report)
      ? []
      : [{ code, proposed: 'passes', compared: shownExplanation(report?.compared ?? {}) }];
  });
  return [...appeared, ...gone];
}

function isHit({ result }: RuleReport): boolean {
  return result === 'hit';
}
