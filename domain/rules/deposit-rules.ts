// The rules of a deposit's creation and of its payment, in the order of the specification's tables.
import type { DepositReviewReason } from '../deposit.js';
import type { DepositRefusal } from './refusals.js';
import { engineOf, type Windows } from './engine-thresholds.js';
import { firstExceeded, type Movement, totalOfDay, type WindowSum, windowTotal } from './risk-rules.js';
import { aboveLimit, belowLimit, finding, type Rule, type RuleFinding, RULE_OFF } from './rule.js';
import type { Thresholds } from './thresholds.js';

/** The document against the one fixed for the player: unknown player, the same, or another one. */
export type DocumentStanding = 'first_use' | 'same' | 'changed';

export interface DepositFacts {
  readonly at: string;
  readonly amountMinor: string;
  readonly document: DocumentStanding;
  /** The player's reference, or document, on the block list. */
  readonly playerBlocked: boolean;
  readonly documentBlocked: boolean;
  /** Absent in decisions of earlier releases. */
  readonly history?: DepositHistory | undefined;
}

/** The player's earlier deposits in the currency. "Counted": neither failed nor cancelled, expired nor given back. */
export interface DepositHistory {
  /** Counted deposits of the last 26 hours: enough for any local day. Newest first, at most 300. */
  readonly recent: readonly Movement[];
  readonly windows: { readonly d7: WindowSum; readonly d30: WindowSum };
  /** When deposits that nobody has paid were created, in the last 24 hours. Newest first, at most 300. */
  readonly unpaidAt: readonly string[];
}

/** A hit refuses the deposit with this code: no object. */
export const DEPOSIT_RULES: readonly Rule<DepositFacts, 'creation', DepositRefusal>[] = [
  {
    code: 'AMOUNT_BELOW_MINIMUM',
    consequence: 'amount_below_minimum',
    stages: ['creation'],
    evaluate: (facts, { depositMinMinor }) => belowLimit(BigInt(facts.amountMinor), depositMinMinor),
  },
  {
    code: 'AMOUNT_ABOVE_MAXIMUM',
    consequence: 'amount_above_maximum',
    stages: ['creation'],
    evaluate: (facts, { depositMaxMinor }) => aboveLimit(BigInt(facts.amountMinor), depositMaxMinor),
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

/** Whether any limit looks at the player's earlier deposits. */
export function limitsHistory(thresholds: Thresholds): boolean {
  const { depositWindows, depositUnpaid } = engineOf(thresholds);
  return depositUnpaid !== null || hasHardLimit(depositWindows);
}

function hasHardLimit({ day, d7, d30 }: Windows): boolean {
  return [day, d7, d30].some(({ maxMinor, maxCount }) => maxMinor !== null || maxCount !== null);
}

const NOT_RECORDED: RuleFinding = { result: 'off', compared: { facts: 'not_recorded' } };

function depositWindowExceeded({ at, amountMinor, history }: DepositFacts, thresholds: Thresholds): RuleFinding {
  const { depositWindows } = engineOf(thresholds);
  if (!hasHardLimit(depositWindows)) return RULE_OFF;
  if (history === undefined) return NOT_RECORDED;
  const { day, d7, d30 } = depositWindows;
  return firstExceeded([
    ['day', totalOfDay({ at, amountMinor }, history.recent, thresholds.timezone), day],
    ['7d', windowTotal(amountMinor, history.windows.d7), d7],
    ['30d', windowTotal(amountMinor, history.windows.d30), d30],
  ]);
}

/** Created and not paid in the last minutes, this one included. */
function tooManyUnpaid({ at, history }: DepositFacts, thresholds: Thresholds): RuleFinding {
  const { depositUnpaid } = engineOf(thresholds);
  if (depositUnpaid === null) return RULE_OFF;
  if (history === undefined) return NOT_RECORDED;
  const since = Date.parse(at) - depositUnpaid.windowMinutes * 60_000;
  const count = history.unpaidAt.filter((created) => Date.parse(created) > since).length + 1;
  return finding(count > depositUnpaid.maxCount, {
    count,
    limit: depositUnpaid.maxCount,
    windowMinutes: depositUnpaid.windowMinutes,
  });
}

export interface PaymentFacts {
  /** When the service learnt of the payment: its confirmation. */
  readonly at: string;
  readonly paidAt: string;
  readonly expiresAt: string;
  readonly chargedAmountMinor: string;
  readonly paidAmountMinor: string;
  readonly payer: 'match' | 'mismatch' | 'unknown';
  /** The payer's document on the block list. */
  readonly payerBlocked: boolean;
  /** The player, or the document fixed for the player, on the block list by now. */
  readonly playerBlocked: boolean;
}

/** A hit sends the payment to people with this reason; the money is held, not credited. */
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
    // Never switched off: who is on a block list is not paid for by anybody, nor pays for anybody.
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
      finding(BigInt(chargedAmountMinor) !== BigInt(paidAmountMinor), { chargedAmountMinor, paidAmountMinor }),
  },
  {
    // "Payment confirmed after `expires_at`": by the service's own clock, or paid later by the provider's.
    code: 'PAID_AFTER_EXPIRY',
    consequence: 'PAID_AFTER_EXPIRY',
    stages: ['payment'],
    evaluate: ({ at, paidAt, expiresAt }) => {
      const latestMs = Math.max(Date.parse(at), Date.parse(paidAt));
      return finding(latestMs > Date.parse(expiresAt), { confirmedAt: at, paidAt, expiresAt });
    },
  },
];
