// PIX that an account received, as its lists report them, and the other lists of an account.
import type { SentPart } from './listed-payouts.js';

/** Which payments to list: all of a span of time, or only those of them with a return, however late it came. */
export const RECEIVED_PARTS = ['payments', 'returns'] as const;
export type ReceivedPart = (typeof RECEIVED_PARTS)[number];

/** The lists of an account that are read on a schedule. */
export type SweptPart = ReceivedPart | SentPart | 'disputes';

/** A received PIX as a list of the account reports it. It is a trigger only: the workflow looks the charge up. */
export interface Receipt {
  readonly endToEndId: string;
  /** The reference of its charge; `null` for a PIX without one, such as a transfer to the key. */
  readonly reference: string | null;
  readonly amountMinor: bigint;
  /** RFC 3339. */
  readonly receivedAt: string;
  /** The returns with their states, as one text that changes whenever they do; empty without any. */
  readonly returns: string;
}
