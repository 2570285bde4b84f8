// What operators receive: a deposit, a withdrawal, and the envelope of an event. The only presenters of payments, so
// that no internal column leaks.
import { type DepositPayer, type DepositSnapshot, peopleOf } from '../../domain/payments/deposit.js';
import { toMoney } from '../../domain/money.js';
import { displayedOperatorReasons } from '../../domain/rules/operator-reasons.js';
import type { WithdrawalSnapshot } from '../../domain/payments/withdrawal.js';

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

/**
 * The interface's Withdrawal (specification, "Withdrawal"). Fields of wire and SWIFT are null or empty.
 * `operatorReasons` unseals the operator's free texts. They follow the review codes; without a review code they stay
 * sealed.
 */
export function presentWithdrawal(withdrawal: WithdrawalSnapshot, operatorReasons: () => readonly string[]) {
  const { decision } = withdrawal;
  const displayed = decision.reasons.length === 0 ? [] : displayedOperatorReasons(operatorReasons());
  return {
    id: withdrawal.id,
    external_id: withdrawal.externalId,
    status: withdrawal.status,
    version: withdrawal.version,
    amount: toMoney(withdrawal.amountMinor, withdrawal.currency),
    fee: withdrawal.feeMinor === null ? null : toMoney(withdrawal.feeMinor, withdrawal.currency),
    method: withdrawal.method,
    player_ref: withdrawal.playerRef,
    decision: {
      mode: decision.mode,
      reasons: [...decision.reasons, ...displayed],
      ruleset_version: decision.ruleSetVersion,
      decided_by: peopleOf(decision.decidedBy),
      decided_at: decision.decidedAt,
    },
    psp_reference: withdrawal.pspReference,
    failure_code: withdrawal.failureCode,
    created_at: withdrawal.createdAt,
    updated_at: withdrawal.updatedAt,
    paid_at: withdrawal.paidAt,
    rail: null,
    fees: [],
    charge_bearer: null,
    fx: null,
    purpose: null,
    compliance: null,
    tracking: null,
    return: null,
    recall: null,
    expected_settlement_date: null,
    sent_at: null,
  };
}

export type PublicWithdrawal = ReturnType<typeof presentWithdrawal>;

export interface EventEnvelope {
  readonly id: string;
  readonly type: string;
  readonly created_at: string;
  readonly operation_id: string;
  readonly object_id: string;
  readonly object_version: number;
  readonly data: { readonly object: unknown };
}

/** Builds the envelope of an event about an object as served at that version (specification, "Event (envelope)"). */
export function presentEvent(event: {
  id: string;
  type: string;
  createdAt: string;
  operationId: string;
  objectId: string;
  objectVersion: number;
  object: unknown;
}): EventEnvelope {
  return {
    id: event.id,
    type: event.type,
    created_at: event.createdAt,
    operation_id: event.operationId,
    object_id: event.objectId,
    object_version: event.objectVersion,
    data: { object: event.object },
  };
}
