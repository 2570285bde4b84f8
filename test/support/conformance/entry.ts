// What the small operator of the conformance kit's tests keeps of a payment.

export type Kind = 'deposit' | 'withdrawal';

/** What the operator keeps of a payment. */
export interface Entry {
  readonly kind: Kind;
  readonly externalId: string;
  readonly playerRef: string;
  readonly amountMinor: bigint;
  version: number;
  status: string;
  paidAt: string | null;
  money: 'open' | 'credited' | 'reserved' | 'settled' | 'given_back';
}
