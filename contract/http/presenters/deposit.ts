// The deposit that operators receive. The only presenter of deposits, so that no internal column leaks.
import type { DepositPayer, DepositSnapshot } from '../../../domain/payments/deposit.js';
import { toMoney } from '../../../domain/money.js';

/** The interface's Deposit (specification, "Deposit"). `payer` is null until a payment is recorded. */
export function presentDeposit(deposit: DepositSnapshot, payer: DepositPayer | null) {
  const money = (amountMinor: bigint) => toMoney(amountMinor, deposit.currency);
  return {
    id: deposit.id,
    external_id: deposit.externalId,
    status: deposit.status,
    version: deposit.version,
    amount: money(deposit.amountMinor),
    paid_amount: deposit.paidAmountMinor === null ? null : money(deposit.paidAmountMinor),
    method: deposit.method,
    player_ref: deposit.playerRef,
    payer: payer === null ? null : { document: payer.document, name: payer.name, matches_player: payer.matchesPlayer },
    instructions: presentInstructions(deposit),
    failure_code: deposit.failureCode,
    review_reasons: [...deposit.reviewReasons],
    created_at: deposit.createdAt,
    updated_at: deposit.updatedAt,
    paid_at: deposit.paidAt,
    expires_at: deposit.expiresAt,
  };
}

function presentInstructions({ instructions }: DepositSnapshot) {
  if (instructions === null) return null;
  const { copyPaste, qrCodePngBase64, expiresAt } = instructions;
  return {
    pix: {
      copy_paste: copyPaste,
      expires_at: expiresAt,
      ...(qrCodePngBase64 === null ? {} : { qr_code_png_base64: qrCodePngBase64 }),
    },
  };
}

export type PublicDeposit = ReturnType<typeof presentDeposit>;
