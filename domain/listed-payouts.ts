// Payouts that left a provider's account, as its list tells them: ours, and whatever somebody sent elsewhere.

/** It is compared with the books, and changes no withdrawal. A payout that failed is not listed. */
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
}
