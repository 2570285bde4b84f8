// The rules of a deposit's creation and of its payment, in the order of the specification's tables.
import type { DepositReviewReason } from '../deposit.js';
import type { DepositRefusal } from './refusals.js';
import { aboveLimit, belowLimit, finding, type Rule, RULE_OFF } from './rule.js';

/** The document against the one fixed for the player: unknown player, the same, or another one. */
export type DocumentStanding = 'first_use' | 'same' | 'changed';

export interface DepositFacts {
  readonly at: string;
  readonly amountMinor: string;
  readonly document: DocumentStanding;
  /** The player's reference, or document, on the block list. */
  readonly playerBlocked: boolean;
  readonly documentBlocked: boolean;
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
    evaluate: ({ playerBlocked, documentBlocked }) => finding(playerBlocked || documentBlocked, { playerBlocked, documentBlocked }),
  },
];

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
    evaluate: ({ payer }, { requirePayerMatchesPlayer }) => (requirePayerMatchesPlayer ? finding(payer === 'mismatch', { payer }) : RULE_OFF),
  },
  {
    code: 'PAYER_UNKNOWN',
    consequence: 'PAYER_UNKNOWN',
    stages: ['payment'],
    evaluate: ({ payer }, { requirePayerMatchesPlayer }) => (requirePayerMatchesPlayer ? finding(payer === 'unknown', { payer }) : RULE_OFF),
  },
  {
    // Never switched off: who is on a block list is not paid for by anybody, nor pays for anybody.
    code: 'PAYER_BLOCKED',
    consequence: 'PAYER_BLOCKED',
    stages: ['payment'],
    evaluate: ({ payerBlocked, playerBlocked }) => finding(payerBlocked || playerBlocked, { payerBlocked, playerBlocked }),
  },
  {
    code: 'AMOUNT_MISMATCH',
    consequence: 'AMOUNT_MISMATCH',
    stages: ['payment'],
    evaluate: ({ chargedAmountMinor, paidAmountMinor }) => finding(BigInt(chargedAmountMinor) !== BigInt(paidAmountMinor), { chargedAmountMinor, paidAmountMinor }),
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
