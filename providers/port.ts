// The provider port: everything the gateway asks of a payment provider, with outcomes as closed unions. An answer
// that does not settle a question is always an explicit `unknown` or `unavailable`, never a guess.
import type { TaxDocument } from '../domain/documents.js';
import type { PixKeyType } from '../domain/pix.js';

export { PIX_KEY_TYPES } from '../domain/pix.js';
export type { PixKeyType } from '../domain/pix.js';

export const PROVIDER_NAMES = ['simulator', 'a', 'b'] as const;
export type ProviderName = (typeof PROVIDER_NAMES)[number];

/** Body paths that a provider can need on `POST /deposits`, in the specification's canonical order. */
export const DEPOSIT_REQUIREMENTS = ['player.name', 'player.email', 'player.ip', 'player.device_id'] as const;
export type DepositRequirement = (typeof DEPOSIT_REQUIREMENTS)[number];

/** What an operation's client reads of a provider in `GET /currencies` (`method_details`). */
export interface ProviderTraits {
  readonly depositRequirements: readonly DepositRequirement[];
  readonly pspNotes: readonly string[];
}

export interface ChargeRequest {
  /** `txid`: our deposit's reference; repeating it never makes a second charge. */
  readonly reference: string;
  readonly amountMinor: bigint;
  readonly expiresInSeconds: number;
  readonly payer: { readonly document: TaxDocument; readonly name: string | null; readonly email: string | null };
  readonly description: string;
}

export interface Charge {
  readonly reference: string;
  readonly copyPaste: string;
  /** PNG in base64, only where the provider supplies one. */
  readonly qrCodePngBase64: string | null;
  /** The provider's own expiry, which can differ from the requested one. RFC 3339. */
  readonly expiresAt: string;
  /** Whether the PIX carries the provider's mark of a test environment (the environment guard asks for it). */
  readonly sandboxMarker: boolean;
  readonly amountMinor: bigint;
}

export type ChargeOutcome =
  | { readonly kind: 'created'; readonly charge: Charge }
  /** The provider said no, conclusively. `code` becomes the deposit's failure code. */
  | { readonly kind: 'refused'; readonly code: string }
  /** Nothing conclusive: timeout, 5xx, garbage. Asking again with the same reference is safe. */
  | { readonly kind: 'unknown'; readonly reason: string };

/** One credit on a charge. */
export interface ReceivedPix {
  readonly endToEndId: string;
  readonly amountMinor: bigint;
  /** When the payer paid, by the provider's clock. RFC 3339. */
  readonly paidAt: string;
  /** The payer as far as the provider tells; null where it does not. Documents may be masked. */
  readonly payer: {
    readonly document: { readonly type: 'CPF' | 'CNPJ'; readonly number: string } | null;
    readonly name: string | null;
  } | null;
  readonly reversals: readonly Reversal[];
}

export interface Reversal {
  /** Our own reference of a return that we asked for, or the provider's id. */
  readonly reference: string;
  readonly amountMinor: bigint;
  readonly kind: 'refund' | 'chargeback';
  readonly status: 'pending' | 'done' | 'refused';
  readonly at: string;
  /** The return's own identifier in PIX (`D…`), where the provider tells it. */
  readonly returnId?: string;
}

export type ChargeLookup =
  | { readonly kind: 'found'; readonly status: 'open' | 'paid' | 'removed'; readonly payments: readonly ReceivedPix[] }
  /** The provider knows no such charge. Soon after a lost answer this proves nothing. */
  | { readonly kind: 'not_found' }
  | { readonly kind: 'unknown'; readonly reason: string };

export type ReversalOutcome =
  | { readonly kind: 'accepted'; readonly reversal: Reversal }
  | { readonly kind: 'refused'; readonly code: string }
  | { readonly kind: 'unknown'; readonly reason: string };

export interface PayoutRequest {
  /** Our withdrawal's reference: the provider's idempotency key. */
  readonly reference: string;
  readonly amountMinor: bigint;
  readonly key: { readonly type: PixKeyType; readonly value: string };
  readonly beneficiaryDocument: TaxDocument;
  /** From the key look-up, where one was made. */
  readonly lookupEndToEndId: string | null;
  readonly description: string;
}

/** What the provider says of a payout. */
export interface Payout {
  readonly reference: string;
  readonly status: 'processing' | 'paid' | 'failed';
  readonly endToEndId: string | null;
  /** ISO 20022 reason (AC03, AM02, …) or the provider's code; only with `failed`. */
  readonly failureCode: string | null;
  readonly paidAt: string | null;
  /** A return by the receiving bank after `paid`. */
  readonly returned: { readonly at: string; readonly code: string | null } | null;
}

export type PayoutOutcome =
  | { readonly kind: 'reply'; readonly payout: Payout }
  /** Nothing left this machine (connection refused, name not resolved): sending later is still the first send. */
  | { readonly kind: 'not_sent'; readonly reason: string }
  /** It may have arrived. Only a look-up can tell. */
  | { readonly kind: 'unknown'; readonly reason: string };

export type PayoutLookup =
  | { readonly kind: 'found'; readonly payout: Payout }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'unknown'; readonly reason: string };

export type KeyOwnerLookup =
  | { readonly kind: 'match'; readonly strength: 'full' | 'masked'; readonly endToEndId: string | null }
  | { readonly kind: 'mismatch' }
  /** The directory knows no such key. Never asked twice: a 404 costs 20 tokens of the participant's budget. */
  | { readonly kind: 'no_such_key' }
  | { readonly kind: 'unavailable'; readonly reason: string; readonly retryAfterSeconds: number | null };

/** What a callback announces: a trigger only; the workflow looks the facts up before it believes them. */
export type ProviderNotice =
  | { readonly kind: 'charge'; readonly reference: string; readonly endToEndId: string }
  | { readonly kind: 'payout'; readonly reference: string; readonly endToEndId: string | null };

export type CallbackVerdict =
  | { readonly kind: 'accepted'; readonly notices: readonly ProviderNotice[] }
  /** Not from the provider (bad secret, another receiver's key). */
  | { readonly kind: 'forged'; readonly reason: string }
  | { readonly kind: 'malformed'; readonly reason: string };

export interface CallbackRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
}

/** A payment provider. Every call is bounded in time and size by the adapter and never throws for a provider's fault. */
export interface Provider {
  readonly name: ProviderName;
  readonly traits: ProviderTraits;
  createCharge(request: ChargeRequest): Promise<ChargeOutcome>;
  lookUpCharge(reference: string): Promise<ChargeLookup>;
  /** Sends a received PIX back to its payer. `reference` makes a repeat harmless. */
  requestReversal(request: { endToEndId: string; reference: string; amountMinor: bigint }): Promise<ReversalOutcome>;
  lookUpReversal(request: { endToEndId: string; reference: string }): Promise<ReversalOutcome>;
  sendPayout(request: PayoutRequest): Promise<PayoutOutcome>;
  /** An answer about another amount than was sent is no answer about this payout. */
  lookUpPayout(request: { reference: string; amountMinor: bigint }): Promise<PayoutLookup>;
  /** Compares the holder of a PIX key with the expected document. Formats are checked before anything is asked. */
  lookUpKeyOwner(request: { key: { type: PixKeyType; value: string }; expected: TaxDocument }): Promise<KeyOwnerLookup>;
  /** Verifies and parses a callback that reached `/callbacks/{provider}/…`. Pure. */
  parseCallback(request: CallbackRequest): CallbackVerdict;
}

/** Looks a provider up by the name an operation is configured with. */
export type ProviderRegistry = (name: ProviderName) => Provider;

/** Steering of the sandbox's simulated provider; wired only outside production. */
export interface SandboxSteering {
  /** Pays a charge. Returns the payment's end-to-end id, or why the simulator refused. */
  payCharge(
    provider: ProviderName,
    reference: string,
    payment: { amountMinor: bigint | null; payerDocument: TaxDocument | null },
  ): Promise<SteeringResult>;
  /** Returns the last payment of a charge: `refund` by the receiver, `chargeback` by the special return mechanism. */
  reverseCharge(provider: ProviderName, reference: string, kind: 'refund' | 'chargeback'): Promise<SteeringResult>;
  settlePayout(
    provider: ProviderName,
    reference: string,
    result: 'paid' | 'failed' | 'returned',
    failureCode?: string,
  ): Promise<SteeringResult>;
}

export type SteeringResult =
  | { readonly kind: 'done'; readonly endToEndId: string | null }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unavailable'; readonly reason: string };
