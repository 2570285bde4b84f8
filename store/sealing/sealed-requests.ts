// The shapes of sealed creation requests: what an operator sent about a player, and more than ids.
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

export interface SealedDepositRequest {
  readonly player: SealedPlayer;
  readonly locale?: string | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}

export interface SealedWithdrawalRequest {
  readonly player: SealedPlayer;
  /** The key as the directory spells it (`normalizePixKey`), which is the one that is checked and paid. */
  readonly destination: {
    readonly pix: { readonly key_type: 'cpf' | 'cnpj' | 'email' | 'phone' | 'random'; readonly key: string };
  };
  readonly review_reasons?: readonly string[] | undefined;
  readonly player_context?: Readonly<Record<string, unknown>> | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}

/** The operator's own review reasons of a sealed withdrawal request. Throws UnsealableError. */
export function operatorReasonsOf(sealer: Sealer, sealedRequest: string | Uint8Array): readonly string[] {
  return sealer.openJson<SealedWithdrawalRequest>(sealedRequest).review_reasons ?? [];
}
