// The rules for the creation of a deposit and for its payment, in the order of the specification's tables.
import type { DepositReviewReason } from '../payments/deposit.js';
import type { DepositRefusal } from './verdicts.js';
import { engineOf, type Thresholds, type Windows } from './thresholds.js';
import { firstExceeded, type Movement, totalOfDay, type WindowSum, windowTotal } from './risk-rules.js';
import { aboveLimit, belowLimit, finding, type Rule, type RuleFinding, RULE_OFF } from './rule.js';

/** The document compared with the player's first one. `first_use`: the player is new. */
export type DocumentUse = 'first_use' | 'same' | 'changed';

export interface DepositFacts {
  readonly at: string;
  readonly amountMinor: bigint;
  readonly document: DocumentUse;
  /** The player's reference is on the block list. */
  readonly playerBlocked: boolean;
  readonly documentBlocked: boolean;
  readonly history: DepositHistory;
}

/** The player's earlier deposits in the currency. "Counted" excludes failed, cancelled, expired and given-back ones. */
export interface DepositHistory {
  /** Counted deposits of the last 26 hours, which cover any local day. Newest first, at most 300. */
  readonly recent: readonly Movement[];
  readonly windows: { readonly d7: WindowSum; readonly d30: WindowSum };
  /** Creation times of unpaid deposits of the last 24 hours, RFC 3339. Newest first, at most 300. */
  readonly unpaidAt: readonly string[];
}

/** A hit refuses the deposit with the consequence as its code. No deposit is created. */
export const DEPOSIT_RULES: readonly Rule<DepositFacts, 'creation', DepositRefusal>[] = [
  {
    code: 'AMOUNT_BELOW_MINIMUM',
    consequence: 'amount_below_minimum',
    stages: ['creation'],
    evaluate: (facts, { depositMinMinor }) => belowLimit(facts.amountMinor, depositMinMinor),
  },
  {
    code: 'AMOUNT_ABOVE_MAXIMUM',
    consequence: 'amount_above_maximum',
    stages: ['creation'],
    evaluate: (facts, { depositMaxMinor }) => aboveLimit(facts.amountMinor, depositMaxMinor),
  },
  {
    code: 'PLAYER_DOCUMENT_CHANGED',
    consequence: 'document_mismatch',
    stages: ['creation'],
    evaluate: ({ document }) => finding(document === 'changed', { document }),
  },
  {
    code: 'PLAYER_BLOCKED',
    consequence: 'player_blocked',
    stages: ['creation'],
    evaluate: ({ playerBlocked, documentBlocked }) =>
      finding(playerBlocked || documentBlocked, { playerBlocked, documentBlocked }),
  },
  {
    code: 'DEPOSIT_WINDOW_EXCEEDED',
    consequence: 'velocity_exceeded',
    stages: ['creation'],
    evaluate: depositWindowExceeded,
  },
  { code: 'DEPOSIT_VELOCITY_UNPAID', consequence: 'velocity_exceeded', stages: ['creation'], evaluate: tooManyUnpaid },
];

/** Whether any limit counts the player's earlier deposits. */
export function limitsHistory(thresholds: Thresholds): boolean {
  const { depositWindows, depositUnpaid } = engineOf(thresholds);
  return depositUnpaid !== null || hasHardLimit(depositWindows);
}

function hasHardLimit({ day, d7, d30 }: Windows): boolean {
  return [day, d7, d30].some(({ maxMinor, maxCount }) => maxMinor !== null || maxCount !== null);
}

function depositWindowExceeded({ at, amountMinor, history }: DepositFacts, thresholds: Thresholds): RuleFinding {
  const { depositWindows } = engineOf(thresholds);
  if (!hasHardLimit(depositWindows)) return RULE_OFF;
  const { day, d7, d30 } = depositWindows;
  return firstExceeded([
    ['day', totalOfDay({ at, amountMinor }, history.recent, thresholds.timezone), day],
    ['7d', windowTotal(amountMinor, history.windows.d7), d7],
    ['30d', windowTotal(amountMinor, history.windows.d30), d30],
  ]);
}

/** Counts unpaid deposits of the last minutes, this one included. */
function tooManyUnpaid({ at, history }: DepositFacts, thresholds: Thresholds): RuleFinding {
  const { depositUnpaid } = engineOf(thresholds);
  if (depositUnpaid === null) return RULE_OFF;
  const since = Date.parse(at) - depositUnpaid.windowMinutes * 60_000;
  const count = history.unpaidAt.filter((created) => Date.parse(created) > since).length + 1;
  return finding(count > depositUnpaid.maxCount, {
    count,
    limit: depositUnpaid.maxCount,
    windowMinutes: depositUnpaid.windowMinutes,
  });
}

export interface PaymentFacts {
  /** When the gateway learned of the payment. */
  readonly at: string;
  readonly paidAt: string;
  readonly expiresAt: string;
  readonly chargedAmountMinor: bigint;
  readonly paidAmountMinor: bigint;
  readonly payer: 'match' | 'mismatch' | 'unknown';
  /** The payer's document is on the block list. */
  readonly payerBlocked: boolean;
  /** The player, or the player's document, is on the block list now. */
  readonly playerBlocked: boolean;
}

/** A hit holds the payment for review with the consequence as its reason. It is not credited. */
export const PAYMENT_RULES: readonly Rule<PaymentFacts, 'payment', DepositReviewReason>[] = [
  {
    code: 'PAYER_MISMATCH',
    consequence: 'PAYER_MISMATCH',
    stages: ['payment'],
    evaluate: ({ payer }, { requirePayerMatchesPlayer }) =>
      requirePayerMatchesPlayer ? finding(payer === 'mismatch', { payer }) : RULE_OFF,
  },
  {
    code: 'PAYER_UNKNOWN',
    consequence: 'PAYER_UNKNOWN',
    stages: ['payment'],
    evaluate: ({ payer }, { requirePayerMatchesPlayer }) =>
      requirePayerMatchesPlayer ? finding(payer === 'unknown', { payer }) : RULE_OFF,
  },
  {
    // Cannot be switched off: no payment for a blocked player or by a blocked person is credited.
    code: 'PAYER_BLOCKED',
    consequence: 'PAYER_BLOCKED',
    stages: ['payment'],
    evaluate: ({ payerBlocked, playerBlocked }) =>
      finding(payerBlocked || playerBlocked, { payerBlocked, playerBlocked }),
  },
  {
    code: 'AMOUNT_MISMATCH',
    consequence: 'AMOUNT_MISMATCH',
    stages: ['payment'],
    evaluate: ({ chargedAmountMinor, paidAmountMinor }) =>
      finding(chargedAmountMinor !== paidAmountMinor, { chargedAmountMinor, paidAmountMinor }),
  },
  {
    // "Payment confirmed after `expires_at`": by the gateway's clock or by the provider's payment time.
    code: 'PAID_AFTER_EXPIRY',
    consequence: 'PAID_AFTER_EXPIRY',
    stages: ['payment'],
    evaluate: ({ at, paidAt, expiresAt }) =>
      finding(Date.parse(paidAt) > Date.parse(expiresAt), { confirmedAt: at, paidAt, expiresAt }),
  },
];
