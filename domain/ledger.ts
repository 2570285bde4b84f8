// Double-entry ledger: every movement is a balanced pair of entries between the accounts of one operation, all at one
// account at a provider. The operation has each of these accounts once for every account at a provider.
import type { BankMovement, BankMovementKind } from './bank-movements.js';

/**
 * The accounts. `available` is the cash box that withdrawals draw on. `pending_in` holds received money that is not
 * credited yet, `pending_out` money reserved for withdrawals, and `suspense` late and extra payments.
 * `provider_clearing` is the counter-account of the provider: negative by the money that it holds for the operation.
 */
export const LEDGER_ACCOUNTS = ['available', 'pending_in', 'pending_out', 'suspense', 'provider_clearing'] as const;
export type LedgerAccount = (typeof LEDGER_ACCOUNTS)[number];

export const LEDGER_MOVEMENTS = {
  deposit_credited: { from: 'provider_clearing', to: 'available' },
  deposit_held: { from: 'provider_clearing', to: 'pending_in' },
  deposit_released: { from: 'pending_in', to: 'available' },
  deposit_returned: { from: 'pending_in', to: 'provider_clearing' },
  deposit_refunded: { from: 'available', to: 'provider_clearing' },
  // A part went back, and the deposit is still paid.
  deposit_refunded_in_part: { from: 'available', to: 'provider_clearing' },
  deposit_charged_back: { from: 'available', to: 'provider_clearing' },
  deposit_charged_back_in_part: { from: 'available', to: 'provider_clearing' },
  late_payment_received: { from: 'provider_clearing', to: 'suspense' },
  // The bank reports that a late or extra payment, or a part of it, went back.
  suspense_reversed: { from: 'suspense', to: 'provider_clearing' },
  // It was given to the cash box before it went back: it comes out of there.
  suspense_recalled: { from: 'available', to: 'suspense' },
  withdrawal_reserved: { from: 'available', to: 'pending_out' },
  withdrawal_released: { from: 'pending_out', to: 'available' },
  withdrawal_paid: { from: 'pending_out', to: 'provider_clearing' },
  withdrawal_returned: { from: 'provider_clearing', to: 'available' },
  // A part came back, and the withdrawal is still paid.
  withdrawal_returned_in_part: { from: 'provider_clearing', to: 'available' },
  // The provider's fee for a payment: domain/provider-fees.ts.
  fee_with_payment: { from: 'available', to: 'provider_clearing' },
  fee_apart: { from: 'available', to: 'provider_clearing' },
  // Not payments: domain/cash-movements.ts.
  cash_box_funded: { from: 'provider_clearing', to: 'available' },
  cash_box_settled: { from: 'available', to: 'provider_clearing' },
  // Both halves of one cash movement, at two accounts at providers.
  cash_box_moved_out: { from: 'available', to: 'provider_clearing' },
  cash_box_moved_in: { from: 'provider_clearing', to: 'available' },
  suspense_credited: { from: 'suspense', to: 'available' },
  suspense_assigned: { from: 'suspense', to: 'available' },
  cash_box_corrected_up: { from: 'provider_clearing', to: 'available' },
  cash_box_corrected_down: { from: 'available', to: 'provider_clearing' },
} as const satisfies Record<string, { from: LedgerAccount; to: LedgerAccount }>;
export type LedgerMovement = keyof typeof LEDGER_MOVEMENTS;

/** What each ledger movement is at the bank; `null` if it moves nothing there. */
export const BANK_KIND_OF: Readonly<Record<LedgerMovement, BankMovementKind | null>> = {
  deposit_credited: 'received',
  deposit_held: 'received',
  deposit_released: null,
  deposit_returned: 'returned_to_payer',
  deposit_refunded: 'returned_to_payer',
  deposit_refunded_in_part: 'returned_to_payer',
  deposit_charged_back: 'returned_to_payer',
  deposit_charged_back_in_part: 'returned_to_payer',
  late_payment_received: 'received',
  suspense_reversed: 'returned_to_payer',
  suspense_recalled: null,
  withdrawal_reserved: null,
  withdrawal_released: null,
  withdrawal_paid: 'sent',
  withdrawal_returned: 'returned_to_us',
  withdrawal_returned_in_part: 'returned_to_us',
  fee_with_payment: 'fee',
  fee_apart: 'fee',
  cash_box_funded: 'transfer_in',
  cash_box_settled: 'transfer_out',
  cash_box_moved_out: 'transfer_out',
  cash_box_moved_in: 'transfer_in',
  suspense_credited: null,
  suspense_assigned: null,
  // They record that the ledger was wrong.
  cash_box_corrected_up: null,
  cash_box_corrected_down: null,
};

/** A movement of a payment. */
export interface LedgerTransfer {
  readonly name: LedgerMovement;
  readonly amountMinor: bigint;
  /** The step of the payment that moves it; with the payment's id it makes the movement happen once. */
  readonly step: string;
  /** The movement at the provider's account; `null` if none is behind it. */
  readonly bank: BankMovement | null;
  /** The end-to-end id of the item in suspense that it makes or changes. */
  readonly item?: string;
}

export interface LedgerPosting {
  readonly account: LedgerAccount;
  readonly amountMinor: bigint;
}

/** The two entries of a movement; they sum to zero. */
export function postingsOf(movement: LedgerMovement, amountMinor: bigint): readonly [LedgerPosting, LedgerPosting] {
  if (amountMinor <= 0n) throw new RangeError('a movement is of a positive amount');
  const { from, to } = LEDGER_MOVEMENTS[movement];
  return [
    { account: from, amountMinor: -amountMinor },
    { account: to, amountMinor },
  ];
}
