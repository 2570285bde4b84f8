// What the provider takes for a payment. It keeps the fee from the account that holds the operation's money, so the fee
// leaves the cash box; and it tells the fee when it likes, or never.
import type { AlertKind } from './alerts.js';
import type { LedgerTransfer } from './ledger.js';
import { formatBrl } from './money.js';

/** A fee that a provider told, in minor units of the payment's currency; more than zero. */
export interface ProviderFee {
  /** What was paid for: the end-to-end id of a received PIX, or `payout`. */
  readonly of: string;
  readonly amountMinor: string;
}

/** What a settlement's transfer id is followed by in its fee's. */
export const FEE_SUFFIX = ':fee';

/**
 * The movement of a fee. One that is told with the settlement stands on its item of the reconciliation; any other is an
 * item of its own.
 */
export function feeTransfer(paymentId: string, fee: ProviderFee, settlement: LedgerTransfer | null): LedgerTransfer {
  const { of, amountMinor } = fee;
  return settlement?.name === 'deposit_credited' || settlement?.name === 'withdrawal_paid'
    ? { name: 'fee_with_payment', amountMinor, transferId: `${settlement.transferId}${FEE_SUFFIX}` }
    : { name: 'fee_apart', amountMinor, transferId: `${paymentId}:fee:${of}` };
}

/** The alert about a fee that is told otherwise than before. What was entered first stays. */
export function feeDiffers(
  of: string,
  notedMinor: string,
  toldMinor: string,
): { readonly kind: AlertKind; readonly detail: string; readonly occasion: string } {
  const [noted, told] = [notedMinor, toldMinor].map((minor) => formatBrl(BigInt(minor)));
  return { kind: 'FEE_DIFFERS', detail: `${of}: fee of ${told}, entered ${noted}`, occasion: `${of} ${toldMinor}` };
}
