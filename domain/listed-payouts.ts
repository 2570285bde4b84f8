// Payouts that left a provider's account, as its list tells them: ours, and whatever somebody sent elsewhere.

/** What was sent, since the last look; or, of what was sent long ago too, that of which something came back. */
export const SENT_PARTS = ['payouts', 'payout_returns'] as const;
export type SentPart = (typeof SENT_PARTS)[number];

/**
 * It is compared with the books, and changes no withdrawal: one of which something came back looks itself up. A payout
 * that failed is not listed.
 */
export interface ListedPayout {
  /** The provider's own: the reference of the send, else the end-to-end id. */
  readonly payoutId: string;
  /** With which it was sent; null where the list tells none. */
  readonly reference: string | null;
  /** Null until there is one. */
  readonly endToEndId: string | null;
  readonly amountMinor: bigint;
  /** RFC 3339. */
  readonly sentAt: string;
  /** False while the provider still works on it: it may fail. */
  readonly isSettled: boolean;
  /** What came back, with its state, as one text that changes whenever it does; empty where nothing did. */
  readonly returns: string;
}

/** A return that the list has as a line of its own, which names no payment: of a payout, or of a received PIX. */
export interface ListedReturn {
  /** Its own id (`D…`). */
  readonly returnId: string;
  readonly amountMinor: bigint;
  /** RFC 3339. */
  readonly returnedAt: string;
}

export type ListedMovement = ListedPayout | ListedReturn;

export function isListedPayout(movement: ListedMovement): movement is ListedPayout {
  return 'payoutId' in movement;
}

export function isListedReturn(movement: ListedMovement): movement is ListedReturn {
  return 'returnId' in movement;
}
