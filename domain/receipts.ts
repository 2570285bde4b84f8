// PIX that an account received, as its lists tell them, and what else is listed of it.
import type { SentPart } from './listed-payouts.js';

/** Payments of a span of time; or, of those, the ones that have a return, however late it came. */
export const RECEIVED_PARTS = ['payments', 'returns'] as const;
export type ReceivedPart = (typeof RECEIVED_PARTS)[number];

/** Everything that is read of an account by a schedule. */
export type SweptPart = ReceivedPart | SentPart | 'disputes';

/** A received PIX as a list of the account tells it. It is a trigger only: the workflow looks the charge up. */
export interface Receipt {
  readonly endToEndId: string;
  /** Of its charge; null for a PIX without one, such as a transfer to the key. */
  readonly reference: string | null;
  readonly amountMinor: bigint;
  /** RFC 3339. */
  readonly receivedAt: string;
  /** The returns with their states, as one text that changes whenever they do; empty without any. */
  readonly returns: string;
}
