// One stored question decided again under other rules. What its facts do not tell is never guessed: it is not comparable.
import type { DepositFacts, PaymentFacts } from '../deposit-rules.js';
import type { DispatchFacts } from '../dispatch-rules.js';
import { type EngineRules, vipTierOf } from '../engine-rules.js';
import { engineOf } from '../engine-thresholds.js';
import { type AnyOutcome, type DecisionStage, isWithdrawal, reevaluate } from '../replay.js';
import type { RuleReport } from '../rule.js';
import type { Thresholds } from '../thresholds.js';
import type { WithdrawalFacts } from '../withdrawal-rules.js';

/** What the rules are asked about, and every answer they have. `dispatch` is counted for itself: it moves nothing to people. */
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
  /** The time zone of the thresholds that the facts were read with. */
  readonly timezone: string;
}

/** A question as it was answered: one decision, or a withdrawal's at its creation and, once the directory was asked, after it. */
export interface DecidedCase {
  readonly objectId: string;
  readonly stage: Exclude<DecisionStage, 'dict'>;
  /** RFC 3339. */
  readonly decidedAt: string;
  /** Null where it was not recorded and the payment was never stored. */
  readonly playerRef: string | null;
  /** Null where nothing tells. */
  readonly amountMinor: string | null;
  readonly decision: StoredDecision;
  readonly afterDirectory: StoredDecision | null;
}

/** One currency's thresholds with the engine's configuration that they come from. */
export interface Rules {
  readonly thresholds: Thresholds;
  readonly engine: EngineRules;
}

/**
 * Why a question has no answer under other rules. `facts_missing`: an earlier version did not record what a rule compares.
 * `directory_not_asked`: it was refused before the key directory was asked, whose answer would count now.
 * `facts_of_other_rules`: what was counted depends on the rules of that moment (the local day of another time zone).
 */
export const NOT_COMPARABLE = ['facts_missing', 'directory_not_asked', 'facts_of_other_rules'] as const;
export type NotComparable = (typeof NOT_COMPARABLE)[number];

export type Redecided =
  | { readonly kind: 'decided'; readonly outcome: AnyOutcome; readonly reports: readonly RuleReport[] }
  | { readonly kind: 'not_comparable'; readonly because: NotComparable };

/** What the case asked about. */
export function subjectOf({ objectId, stage }: Pick<DecidedCase, 'objectId' | 'stage'>): Subject {
  if (stage === 'creation') return isWithdrawal(objectId) ? 'withdrawal' : 'deposit';
  return stage;
}

/** What was answered then: after the directory where it was asked. */
export function decidedThen({ decision, afterDirectory }: DecidedCase): AnyOutcome {
  return (afterDirectory ?? decision).outcome;
}

/** The answer under these rules. A withdrawal that they refuse at once never reaches the directory. */
export function redecide(asked: DecidedCase, rules: Rules): Redecided {
  if (asked.amountMinor === null) return { kind: 'not_comparable', because: 'facts_missing' };
  const first = evaluateAgain(asked, asked.stage, asked.decision, rules);
  if (first.kind === 'not_comparable' || subjectOf(asked) !== 'withdrawal' || first.outcome.kind === 'refuse')
    return first;
  if (asked.afterDirectory !== null) return evaluateAgain(asked, 'dict', asked.afterDirectory, rules);
  return isDirectoryNeeded(first.outcome) ? { kind: 'not_comparable', because: 'directory_not_asked' } : first;
}

function evaluateAgain(
  { objectId, playerRef }: DecidedCase,
  stage: DecisionStage,
  decision: StoredDecision,
  rules: Rules,
): Redecided {
  if (!isWhole(objectId, stage, decision.facts)) return { kind: 'not_comparable', because: 'facts_missing' };
  if (isOfAnotherDay(decision, rules.thresholds)) return { kind: 'not_comparable', because: 'facts_of_other_rules' };
  const facts =
    stage !== 'dispatch' && isWithdrawal(objectId)
      ? withTier(decision.facts as WithdrawalFacts, playerRef, rules.engine)
      : decision.facts;
  if (facts === null) return { kind: 'not_comparable', because: 'facts_missing' };
  const { outcome, reports } = reevaluate({ objectId, stage, facts }, rules.thresholds);
  const isGuess = reports.some(({ compared }) => compared['facts'] === 'not_recorded');
  return isGuess ? { kind: 'not_comparable', because: 'facts_missing' } : { kind: 'decided', outcome, reports };
}

function isDirectoryNeeded(outcome: AnyOutcome): boolean {
  return 'keyCheckNeeded' in outcome && outcome.keyCheckNeeded === true;
}

/** Operations pay out automatically per local day: in another time zone that sum was never counted. */
function isOfAnotherDay({ facts, timezone }: StoredDecision, thresholds: Thresholds): boolean {
  return (
    'risk' in facts && engineOf(thresholds).operationAutoCap.perDayMinor !== null && timezone !== thresholds.timezone
  );
}

/** A player's tier is configuration, not history: the one that these rules give. Null where it cannot be told. */
function withTier(facts: WithdrawalFacts, playerRef: string | null, engine: EngineRules): WithdrawalFacts | null {
  const { risk } = facts;
  const hasTiers = Object.keys(engine.vip_players ?? {}).length > 0;
  if (risk === undefined || (hasTiers && playerRef === null)) return hasTiers ? null : facts;
  return { ...facts, risk: { ...risk, vipTier: playerRef === null ? null : vipTierOf(engine, playerRef) } };
}

type RequiredKey<Facts> = { [Key in keyof Facts]-?: undefined extends Facts[Key] ? never : Key }[keyof Facts];
type Required<Facts> = Readonly<Record<RequiredKey<Facts>, true>>;

// A fact that older decisions lack is optional in its interface, and its rule says `not_recorded`; all others must be there.
const WITHDRAWAL_FACTS: Required<WithdrawalFacts> = {
  at: true,
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
  keyUsedByOthers: true,
  ipSeenBefore: true,
  deviceSeenBefore: true,
  settledDepositCount: true,
  settledDepositsMinor: true,
  paidWithdrawalCount: true,
  countedWithdrawalsMinor: true,
  recentWithdrawals: true,
  availableMinor: true,
};
const DEPOSIT_FACTS: Required<DepositFacts> = {
  at: true,
  amountMinor: true,
  document: true,
  playerBlocked: true,
  documentBlocked: true,
};
const PAYMENT_FACTS: Required<PaymentFacts> = {
  at: true,
  paidAt: true,
  expiresAt: true,
  chargedAmountMinor: true,
  paidAmountMinor: true,
  payer: true,
  payerBlocked: true,
  playerBlocked: true,
};
const DISPATCH_FACTS: Required<DispatchFacts> = {
  at: true,
  playerBlocked: true,
  documentBlocked: true,
  destinationBlocked: true,
  operationSuspended: true,
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
      return WITHDRAWAL_FACTS;
    case 'payment':
      return PAYMENT_FACTS;
    case 'dispatch':
      return DISPATCH_FACTS;
  }
}
