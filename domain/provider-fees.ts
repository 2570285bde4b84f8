// The provider's fee for a payment. The provider takes it from the account that holds the operation's money, so the fee
// leaves the cash box. It reports the fee at any time, or never.
import { alertOf } from './alert-records.js';
import type { AlertNote } from './alerts.js';
import type { BankMovement } from './bank-movements.js';
import type { LedgerTransfer } from './ledger.js';
import { formatBrl } from './money.js';

/** A fee that a provider reported, in minor units of the payment's currency; more than zero. */
export interface ProviderFee {
  /** What the fee is for: the end-to-end id of a received PIX, or `payout`. */
  readonly of: string;
  readonly amountMinor: bigint;
}

/** The suffix that turns a settlement's step into that of its fee, also in prisma/functions/freeze_days.sql. */
const FEE_SUFFIX = ':fee';

/**
 * The movement of a fee. A fee that is reported with the settlement is part of its reconciliation item; any other is an
 * item of its own. `of`: the bank's id of the payment that it is for.
 */
export function feeTransfer(
  fee: ProviderFee,
  settlement: LedgerTransfer | null,
  { bankId, settledAt }: Pick<BankMovement, 'bankId' | 'settledAt'>,
): LedgerTransfer {
  const { of, amountMinor } = fee;
  const bank = { kind: 'fee', bankId, part: '', settledAt, saidBy: 'provider' } as const;
  return settlement?.name === 'deposit_credited' || settlement?.name === 'withdrawal_paid'
    ? { name: 'fee_with_payment', amountMinor, step: `${settlement.step}${FEE_SUFFIX}`, bank }
    : { name: 'fee_apart', amountMinor, step: `fee:${of}`, bank };
}

/**
 * The alert about a payment's fee that differs from the one reported before. The first one stays in the ledger.
 * `of`: what the fee is for, as in `ProviderFee`.
 */
export function feeDiffers(paymentId: string, of: string, notedMinor: bigint, reportedMinor: bigint): AlertNote {
  const [noted, reportedFee] = [formatBrl(notedMinor), formatBrl(reportedMinor)];
  return {
    ...alertOf('FEE_DIFFERS', 'differs', { payment: paymentId, feeOf: of, reportedFee, noted }),
    occasion: `${of} ${reportedMinor}`,
  };
}
