// The shapes of sealed creation requests: what an operator sent about a player, and more than ids.
import { placeOf } from './places.js';
import type { Sealer } from './sealer.js';

export interface SealedPlayer {
  readonly external_ref: string;
  readonly document: { readonly type: string; readonly number: string; readonly country: string };
  readonly name?: string | undefined;
  readonly email?: string | undefined;
  readonly ip?: string | undefined;
  readonly device_id?: string | undefined;
  readonly birth_date?: string | undefined;
  readonly kyc_level?: string | undefined;
}

/** The amount to pay: minor units and currency. */
export interface SealedAmount {
  readonly amount: string;
  readonly currency: string;
}

export interface SealedDepositRequest {
  readonly player: SealedPlayer;
  readonly amount: SealedAmount;
  readonly locale?: string | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}

export interface SealedWithdrawalRequest {
  readonly player: SealedPlayer;
  readonly amount: SealedAmount;
  /** The key as the directory spells it (`normalizePixKey`), which is the one that is checked and paid. */
  readonly destination: {
    readonly pix: { readonly key_type: 'cpf' | 'cnpj' | 'email' | 'phone' | 'random'; readonly key: string };
  };
  readonly review_reasons?: readonly string[] | undefined;
  readonly player_context?: Readonly<Record<string, unknown>> | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}

/** Opens the sealed request of a deposit. Throws UnsealableError. */
export function openDepositRequest(sealer: Sealer, { id, operationId, sealedRequest }: SealedDepositOrder) {
  const place = placeOf('deposit.request_sealed', operationId, { id });
  return sealer.openJson<SealedDepositRequest>(place, sealedRequest);
}

interface SealedDepositOrder {
  readonly id: string;
  readonly operationId: string;
  readonly sealedRequest: string | Uint8Array;
}

/** Opens the sealed request of a withdrawal. Throws UnsealableError. */
export function openWithdrawalRequest(sealer: Sealer, { id, operationId, sealedRequest }: SealedWithdrawalOrder) {
  const place = placeOf('withdrawal.request_sealed', operationId, { id });
  return sealer.openJson<SealedWithdrawalRequest>(place, sealedRequest);
}

export interface SealedWithdrawalOrder {
  readonly id: string;
  readonly operationId: string;
  readonly sealedRequest: string | Uint8Array;
}

/** The operator's own review reasons of a sealed withdrawal request. Throws UnsealableError. */
export function operatorReasonsOf(sealer: Sealer, order: SealedWithdrawalOrder): readonly string[] {
  return openWithdrawalRequest(sealer, order).review_reasons ?? [];
}
