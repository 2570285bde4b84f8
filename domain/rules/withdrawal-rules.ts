// The rules of a withdrawal: first the blocks in the order of the table "Synchronous refusals", then the review codes
// in the order of the `decision.reasons` catalogue.
import type { DocumentUse } from './deposit-rules.js';
import { engineOf, type Thresholds } from './thresholds.js';
import { isMultiplierOff, multiplierLimitMinor } from './automatic-limits.js';
import type { KeyOwnerFinding, WithdrawalRefusal } from './verdicts.js';
import {
  automaticSuspended,
  dayTotal,
  destinationChurn,
  manyPayers,
  noPlayReported,
  operationCapExceeded,
  outsideHoursReview,
  rapidTurnaround,
  type RiskFacts,
  sharedPayer,
  structuring,
  velocityHardLimit,
  velocityReview,
  vipLimitExceeded,
  windowAmountExceeded,
  windowCountExceeded,
  windowHardLimit,
} from './risk-rules.js';
import { aboveLimit, belowLimit, finding, type Rule, type RuleFinding, RULE_OFF } from './rule.js';

/**
 * `creation`: before the withdrawal exists; a block refuses it. `dict`: while it waits in `requested`. `review`: it is
 * under review, and no rule has judged it yet, so every rule does.
 */
export const WITHDRAWAL_STAGES = ['creation', 'dict', 'review'] as const;
export type WithdrawalStage = (typeof WITHDRAWAL_STAGES)[number];

/**
 * The facts that a withdrawal is decided by: comparisons, counts, amounts and times, no personal data. "Counted"
 * withdrawals are those not rejected, failed, cancelled or returned, without this one.
 */
export interface WithdrawalFacts {
  /** The moment of the decision. */
  readonly at: string;
  /** The moment of the request: at creation that of the decision. The withdrawal counts on its local day. */
  readonly createdAt: string;
  readonly amountMinor: bigint;
  readonly documentUsable: boolean;
  readonly document: DocumentUse;
  /** Another player has the same document. */
  readonly documentShared: boolean;
  readonly playerBlocked: boolean;
  readonly documentBlocked: boolean;
  readonly destinationBlocked: boolean;
  readonly playerOnReviewList: boolean;
  readonly destinationOnReviewList: boolean;
  /** On any list. The table of refusals has no address or device, so even a blocked one only causes a review. */
  readonly ipListed: boolean;
  readonly deviceListed: boolean;
  readonly hasPlayerIp: boolean;
  readonly reviewRequested: boolean;
  /** The key has the format of its type and at most 77 characters. */
  readonly keyWellFormed: boolean;
  /** A CPF or CNPJ key names its holder. Every other key is looked up in the directory. */
  readonly keyHolder: 'player' | 'other' | 'in_directory';
  readonly keyOwner: KeyOwnerFinding;
  /** The player's first counted use of this key; null without one. */
  readonly keyFirstUsedAt: string | null;
  /** The player used another key before `keyFirstUsedAt` (or before now). */
  readonly hadOtherKeyBefore: boolean;
  /** A withdrawal of the player to this key was paid. */
  readonly keyPaidBefore: boolean;
  readonly keyUsedByOthers: boolean;
  /** Null when the request names no IP. */
  readonly ipSeenBefore: boolean | null;
  /** Null when the request names no device. */
  readonly deviceSeenBefore: boolean | null;
  readonly settledDepositCount: number;
  readonly settledDepositsMinor: bigint;
  readonly paidWithdrawalCount: number;
  readonly countedWithdrawalsMinor: bigint;
  /** Counted withdrawals of the 26 hours before `createdAt`, which cover any local day. */
  readonly recentWithdrawals: readonly { readonly at: string; readonly amountMinor: bigint }[];
  /** The cash box without this withdrawal's own reservation. */
  readonly availableMinor: bigint;
  readonly risk: RiskFacts;
}

export type WithdrawalConsequence =
  | { readonly kind: 'refuse'; readonly code: WithdrawalRefusal }
  | { readonly kind: 'review' };
export type WithdrawalRule = Rule<WithdrawalFacts, WithdrawalStage, WithdrawalConsequence>;

const ALWAYS = WITHDRAWAL_STAGES;
// Once the rules have judged a withdrawal, only the key's holder and the lists can reject it (specification,
// "decision.reasons", type B).
const FIRST_JUDGEMENT = ['creation', 'review'] as const;
const REVIEW = { kind: 'review' } as const;
const refuse = (code: WithdrawalRefusal) => ({ kind: 'refuse', code }) as const;

const BLOCKS: readonly WithdrawalRule[] = [
  {
    code: 'AMOUNT_BELOW_MINIMUM',
    consequence: refuse('amount_below_minimum'),
    stages: FIRST_JUDGEMENT,
    evaluate: (facts, { withdrawalMinMinor }) => belowLimit(facts.amountMinor, withdrawalMinMinor),
  },
  {
    code: 'AMOUNT_ABOVE_MAXIMUM',
    consequence: refuse('amount_above_maximum'),
    stages: FIRST_JUDGEMENT,
    evaluate: (facts, { withdrawalMaxMinor }) => aboveLimit(facts.amountMinor, withdrawalMaxMinor),
  },
  {
    code: 'DOCUMENT_INVALID',
    consequence: refuse('document_invalid'),
    stages: FIRST_JUDGEMENT,
    evaluate: ({ documentUsable }) => finding(!documentUsable, { documentUsable }),
  },
  {
    code: 'PLAYER_DOCUMENT_CHANGED',
    consequence: refuse('document_mismatch'),
    stages: FIRST_JUDGEMENT,
    evaluate: ({ document }) => finding(document === 'changed', { document }),
  },
  {
    code: 'DOCUMENT_MISMATCH',
    consequence: refuse('document_mismatch'),
    stages: ALWAYS,
    evaluate: ({ keyHolder, keyOwner }) =>
      finding(keyHolder === 'other' || keyOwner === 'mismatch', { keyHolder, keyOwner }),
  },
  {
    code: 'PLAYER_BLOCKED',
    consequence: refuse('player_blocked'),
    stages: ALWAYS,
    evaluate: ({ playerBlocked, documentBlocked }) =>
      finding(playerBlocked || documentBlocked, { playerBlocked, documentBlocked }),
  },
  {
    code: 'DESTINATION_BLOCKED',
    consequence: refuse('destination_blocked'),
    stages: ALWAYS,
    evaluate: ({ destinationBlocked }) => finding(destinationBlocked, { destinationBlocked }),
  },
  {
    code: 'VELOCITY_HARD_LIMIT',
    consequence: refuse('velocity_exceeded'),
    stages: FIRST_JUDGEMENT,
    evaluate: velocityHardLimit,
  },
  {
    code: 'WINDOW_HARD_LIMIT',
    consequence: refuse('velocity_exceeded'),
    stages: FIRST_JUDGEMENT,
    evaluate: windowHardLimit,
  },
  {
    code: 'INSUFFICIENT_OPERATION_BALANCE',
    consequence: refuse('insufficient_operation_balance'),
    stages: FIRST_JUDGEMENT,
    evaluate: ({ amountMinor, availableMinor }) =>
      finding(amountMinor > availableMinor, { amountMinor, availableMinor }),
  },
];

/** The review codes before DUAL_APPROVAL_REQUIRED in the catalogue. */
const REVIEWS: readonly WithdrawalRule[] = [
  { code: 'AUTO_MULTIPLIER_EXCEEDED', consequence: REVIEW, stages: ALWAYS, evaluate: multiplierExceeded },
  {
    code: 'NO_SETTLED_DEPOSIT',
    consequence: REVIEW,
    stages: ALWAYS,
    evaluate: ({ settledDepositCount }) => finding(settledDepositCount === 0, { settledDepositCount }),
  },
  {
    code: 'AUTO_DISABLED',
    consequence: REVIEW,
    stages: ALWAYS,
    evaluate: (_facts, { autoMultiplier }) => finding(isMultiplierOff(autoMultiplier), { autoMultiplier }),
  },
  { code: 'OPERATION_AUTO_SUSPENDED', consequence: REVIEW, stages: ALWAYS, evaluate: automaticSuspended },
  {
    code: 'AUTO_MAX_PER_WITHDRAWAL_EXCEEDED',
    consequence: REVIEW,
    stages: ALWAYS,
    evaluate: (facts, { autoMaxPerWithdrawalMinor }) => aboveLimit(facts.amountMinor, autoMaxPerWithdrawalMinor),
  },
  {
    code: 'FIRST_WITHDRAWAL',
    consequence: REVIEW,
    stages: ALWAYS,
    evaluate: ({ paidWithdrawalCount }, { firstWithdrawalManual }) =>
      firstWithdrawalManual ? finding(paidWithdrawalCount === 0, { paidWithdrawalCount }) : RULE_OFF,
  },
  {
    code: 'OPERATOR_REVIEW_REQUESTED',
    consequence: REVIEW,
    stages: ALWAYS,
    evaluate: ({ reviewRequested }) => finding(reviewRequested, { reviewRequested }),
  },
  {
    code: 'OWNERSHIP_UNVERIFIED',
    consequence: REVIEW,
    stages: ALWAYS,
    evaluate: ownershipUnverified,
  },
  {
    code: 'DICT_UNAVAILABLE',
    consequence: REVIEW,
    stages: ALWAYS,
    evaluate: ({ keyOwner }) => finding(keyOwner === 'unavailable', { keyOwner }),
  },
  { code: 'WINDOW_DAY_AMOUNT_EXCEEDED', consequence: REVIEW, stages: ALWAYS, evaluate: dayAmountExceeded },
  { code: 'WINDOW_DAY_COUNT_EXCEEDED', consequence: REVIEW, stages: ALWAYS, evaluate: dayCountExceeded },
  { code: 'WINDOW_7D_AMOUNT_EXCEEDED', consequence: REVIEW, stages: ALWAYS, evaluate: windowAmountExceeded('d7') },
  { code: 'WINDOW_7D_COUNT_EXCEEDED', consequence: REVIEW, stages: ALWAYS, evaluate: windowCountExceeded('d7') },
  { code: 'WINDOW_30D_AMOUNT_EXCEEDED', consequence: REVIEW, stages: ALWAYS, evaluate: windowAmountExceeded('d30') },
  { code: 'WINDOW_30D_COUNT_EXCEEDED', consequence: REVIEW, stages: ALWAYS, evaluate: windowCountExceeded('d30') },
  { code: 'VELOCITY_WITHDRAWALS', consequence: REVIEW, stages: ALWAYS, evaluate: velocityReview },
  { code: 'PIX_KEY_CHANGED', consequence: REVIEW, stages: ALWAYS, evaluate: keyChanged },
  {
    // Only with PIX_KEY_CHANGED: a new device or network alone needs no review.
    code: 'NEW_CONTEXT',
    consequence: REVIEW,
    stages: ALWAYS,
    evaluate: (facts, thresholds) => {
      const { ipSeenBefore, deviceSeenBefore } = facts;
      const isNew = ipSeenBefore === false || deviceSeenBefore === false;
      return finding(isNew && keyChanged(facts, thresholds).result === 'hit', { ipSeenBefore, deviceSeenBefore });
    },
  },
  { code: 'DESTINATION_CHURN', consequence: REVIEW, stages: ALWAYS, evaluate: destinationChurn },
  {
    code: 'SHARED_DESTINATION',
    consequence: REVIEW,
    stages: ALWAYS,
    evaluate: ({ keyUsedByOthers }) => finding(keyUsedByOthers, { keyUsedByOthers }),
  },
  {
    code: 'SHARED_DOCUMENT',
    consequence: REVIEW,
    stages: ALWAYS,
    evaluate: ({ documentShared }) => finding(documentShared, { documentShared }),
  },
  {
    code: 'IP_LISTED',
    consequence: REVIEW,
    stages: ALWAYS,
    evaluate: ({ ipListed }) => finding(ipListed, { ipListed }),
  },
  {
    code: 'DEVICE_LISTED',
    consequence: REVIEW,
    stages: ALWAYS,
    evaluate: ({ deviceListed }) => finding(deviceListed, { deviceListed }),
  },
  {
    // Not in the specification's catalogue, which is open: review lists also hold players, documents and keys.
    code: 'PLAYER_LISTED',
    consequence: REVIEW,
    stages: ALWAYS,
    evaluate: ({ playerOnReviewList }) => finding(playerOnReviewList, { playerOnReviewList }),
  },
  {
    code: 'DESTINATION_LISTED',
    consequence: REVIEW,
    stages: ALWAYS,
    evaluate: ({ destinationOnReviewList }) => finding(destinationOnReviewList, { destinationOnReviewList }),
  },
  { code: 'VIP_LIMIT_EXCEEDED', consequence: REVIEW, stages: ALWAYS, evaluate: vipLimitExceeded },
  { code: 'OPERATION_AUTO_CAP_EXCEEDED', consequence: REVIEW, stages: ALWAYS, evaluate: operationCapExceeded },
  { code: 'OUTSIDE_AUTO_HOURS', consequence: REVIEW, stages: ALWAYS, evaluate: outsideHoursReview },
];

const AML_REVIEWS: readonly WithdrawalRule[] = [
  { code: 'AML_STRUCTURING', consequence: REVIEW, stages: ALWAYS, evaluate: structuring },
  { code: 'AML_RAPID_TURNAROUND', consequence: REVIEW, stages: ALWAYS, evaluate: rapidTurnaround },
  { code: 'AML_NO_PLAY_REPORTED', consequence: REVIEW, stages: ALWAYS, evaluate: noPlayReported },
  { code: 'AML_SHARED_PAYER', consequence: REVIEW, stages: ALWAYS, evaluate: sharedPayer },
  { code: 'AML_MANY_PAYERS', consequence: REVIEW, stages: ALWAYS, evaluate: manyPayers },
];

const SINGLE_REVIEWS = [...REVIEWS, ...AML_REVIEWS];
const DUAL_APPROVAL: WithdrawalRule = {
  code: 'DUAL_APPROVAL_REQUIRED',
  consequence: REVIEW,
  stages: ALWAYS,
  evaluate: dualApprovalRequired,
};

export const WITHDRAWAL_RULES: readonly WithdrawalRule[] = [...BLOCKS, ...REVIEWS, DUAL_APPROVAL, ...AML_REVIEWS];

/** Hits by the amount, or when a reason hits for which the configuration requires two people. */
function dualApprovalRequired(facts: WithdrawalFacts, thresholds: Thresholds): RuleFinding {
  const byAmount = aboveLimit(facts.amountMinor, thresholds.dualApprovalAboveMinor);
  const { dualApprovalReasons } = engineOf(thresholds);
  if (dualApprovalReasons.length === 0) return byAmount;
  const reason = SINGLE_REVIEWS.find(
    ({ code, evaluate }) => dualApprovalReasons.includes(code) && evaluate(facts, thresholds).result === 'hit',
  );
  return finding(byAmount.result === 'hit' || reason !== undefined, {
    ...byAmount.compared,
    reason: reason?.code ?? null,
  });
}

/**
 * A match under a mask is weak: thousands of people share the visible digits. It is enough for a key that was paid
 * before, because a bank accepted this holder then. Any other key goes to review.
 */
function ownershipUnverified({ hasPlayerIp, keyWellFormed, keyOwner, keyPaidBefore }: WithdrawalFacts): RuleFinding {
  const isWeak = keyOwner === 'weak_match' && !keyPaidBefore;
  return finding(!hasPlayerIp || !keyWellFormed || keyOwner === 'no_such_key' || isWeak, {
    hasPlayerIp,
    keyWellFormed,
    keyOwner,
    ...(keyOwner === 'weak_match' ? { keyPaidBefore } : {}),
  });
}

/** Compares this withdrawal and all earlier ones, pending included, with X times the settled deposits. */
function multiplierExceeded(
  { amountMinor, countedWithdrawalsMinor, settledDepositsMinor }: WithdrawalFacts,
  { autoMultiplier }: Thresholds,
) {
  // Without automatic withdrawals there is no X: AUTO_DISABLED hits instead.
  if (isMultiplierOff(autoMultiplier)) return RULE_OFF;
  const limitMinor = multiplierLimitMinor(autoMultiplier, settledDepositsMinor);
  const totalMinor = amountMinor + countedWithdrawalsMinor;
  return finding(totalMinor > limitMinor, { totalMinor, limitMinor, settledDepositsMinor, autoMultiplier });
}

function dayAmountExceeded(facts: WithdrawalFacts, thresholds: Thresholds) {
  const limitMinor = thresholds.autoMaxPerDayMinor;
  if (limitMinor === null) return RULE_OFF;
  const { today, amountMinor: totalMinor } = dayTotal(facts, thresholds);
  return finding(totalMinor > limitMinor, { totalMinor, limitMinor, today });
}

function dayCountExceeded(facts: WithdrawalFacts, thresholds: Thresholds) {
  const limit = thresholds.maxWithdrawalsPerDay;
  if (limit === null) return RULE_OFF;
  const { today, count } = dayTotal(facts, thresholds);
  return finding(count > limit, { count, limit, today });
}

const HOUR_MS = 3_600_000;

/**
 * Hits for a key that differs from an earlier one, until the cooldown after its own first use ends. A player's first
 * key is no change. A cooldown of 0 hours turns the rule off.
 */
function keyChanged(
  { at, keyFirstUsedAt, hadOtherKeyBefore }: WithdrawalFacts,
  { pixKeyChangeCooldownHours }: Thresholds,
) {
  if (pixKeyChangeCooldownHours === 0) return RULE_OFF;
  const elapsedMs = keyFirstUsedAt === null ? 0 : Date.parse(at) - Date.parse(keyFirstUsedAt);
  const isCooling = elapsedMs < pixKeyChangeCooldownHours * HOUR_MS;
  return finding(hadOtherKeyBefore && isCooling, {
    hadOtherKeyBefore,
    keyFirstUsedAt,
    cooldownHours: pixKeyChangeCooldownHours,
  });
}
