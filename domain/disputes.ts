// Disputed payments: a payer's bank asks for a received PIX back (MED, the special return mechanism). The provider
// decides with that bank; the gateway shows the case and its deadline. Only a return that was made changes a deposit.

/** `defended`: the receiver has answered, and the other bank decides. */
export const DISPUTE_STATUSES = ['open', 'defended', 'accepted', 'rejected', 'canceled'] as const;
export type DisputeStatus = (typeof DISPUTE_STATUSES)[number];

/** What the payer says happened, by MED's categories. */
export const DISPUTE_REASONS = [
  'scam',
  'account_takeover',
  'coercion',
  'fraudulent_access',
  'other',
  'unknown',
] as const;
export type DisputeReason = (typeof DISPUTE_REASONS)[number];

/** A case as the provider lists it. Names, documents and free texts are not read. */
export interface Dispute {
  /** The provider's id of the case; the payment's end-to-end id where it has none. */
  readonly id: string;
  /** The end-to-end id of the disputed payment. */
  readonly endToEndId: string;
  /** `null` if it is not reported in an unambiguous form. */
  readonly amountMinor: bigint | null;
  readonly status: DisputeStatus;
  readonly reason: DisputeReason | null;
  /** RFC 3339. */
  readonly openedAt: string;
  /** The deadline for an answer, RFC 3339; `null` if the provider reports none. */
  readonly dueAt: string | null;
}

/** How long before its deadline an open case becomes urgent. */
export const DISPUTE_DUE_SOON_SECONDS = 48 * 3_600;
