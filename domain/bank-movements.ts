// Movements of money at a provider's account, as the bank makes them: one row for each, unique by the bank's own ids,
// so that one PIX counts once. The ledger's movements at the provider follow from them (docs/decisions/0012).

/** The kinds, with the sign of what they do to the account. */
export const BANK_MOVEMENT_KINDS = {
  received: 1,
  sent: -1,
  returned_to_payer: -1,
  returned_to_us: 1,
  fee: -1,
  transfer_in: 1,
  transfer_out: -1,
} as const satisfies Readonly<Record<string, 1 | -1>>;
export type BankMovementKind = keyof typeof BANK_MOVEMENT_KINDS;

/** What the bank says of a movement. Kind, id and part are unique for each account. */
export interface BankMovement {
  readonly kind: BankMovementKind;
  /** The end-to-end id of the payment; our reference of a payout whose end-to-end id the provider does not report. */
  readonly bankId: string;
  /** The id of a return within the payment; empty for the payment itself. */
  readonly part: string;
  /** By the bank's clock. RFC 3339. */
  readonly settledAt: string;
  /** Who said that it happened. */
  readonly saidBy: 'provider' | 'people';
}

/** A return of a payment, or of a part of it, that has moved money. */
export interface ReturnedPart {
  /** The payment's id, as the bank has it. */
  readonly of: string;
  /** The return's id within the payment. */
  readonly reference: string;
  /** Its id in PIX (`D…`), if the provider reports one besides. */
  readonly returnId?: string;
  readonly amountMinor: bigint;
  /** People entered it, and the provider has not reported it yet. */
  readonly isUnconfirmed?: true;
}

/** The sum of the parts of one payment that have gone back. */
export function returnedMinor(parts: readonly ReturnedPart[], of: string | null): bigint {
  return parts.reduce((sum, part) => (part.of === of ? sum + part.amountMinor : sum), 0n);
}
