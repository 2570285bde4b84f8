// Payouts that left a provider's account, as its list reports them: ours, and those that someone else sent.

/** Which payouts to list: those sent since the last sweep, or those with a return, however long ago they were sent. */
export const SENT_PARTS = ['payouts', 'payout_returns'] as const;
export type SentPart = (typeof SENT_PARTS)[number];

/**
 * A payout as the list reports it. It is compared with the database, and changes no withdrawal: a withdrawal with a
 * return looks its payout up. Failed payouts are not listed.
 */
export interface ListedPayout {
  /** The provider's id: the reference of the send, else the end-to-end id. */
  readonly payoutId: string;
  /** The reference that it was sent with; `null` if the list has none. */
  readonly reference: string | null;
  /** `null` until there is one. */
  readonly endToEndId: string | null;
  readonly amountMinor: bigint;
  /** RFC 3339. */
  readonly sentAt: string;
  /** `false` while the provider still works on it and it may fail. */
  readonly isSettled: boolean;
  /** The returns with their states, as one text that changes whenever they do; empty without any. */
  readonly returns: string;
}

/**
 * A return that the list shows as a line of its own, without its payment. It belongs to a payout or to a received PIX.
 */
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
