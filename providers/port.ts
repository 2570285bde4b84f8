// The provider port: every call that the gateway makes to a payment provider. Outcomes are closed unions; an
// inconclusive answer is always an explicit `unknown` or `unavailable`.
import type { RecordWords } from '../domain/alert-records.js';
import type { Dispute } from '../domain/disputes.js';
import type { TaxDocument } from '../domain/documents.js';
import type { ListedMovement, SentPart } from '../domain/listed-payouts.js';
import type { PixKeyType } from '../domain/pix.js';
import type { AccountName } from '../domain/provider-accounts.js';
import type { Receipt, ReceivedPart, SweptPart } from '../domain/receipts.js';

export type { PixKeyType } from '../domain/pix.js';
export type { Receipt } from '../domain/receipts.js';
export { type AccountName, SLOTS, type SlotName } from '../domain/provider-accounts.js';

/** Body fields that a provider may require on `POST /deposits`, in the specification's canonical order. */
export const DEPOSIT_REQUIREMENTS = ['player.name', 'player.email', 'player.ip', 'player.device_id'] as const;
export type DepositRequirement = (typeof DEPOSIT_REQUIREMENTS)[number];

/** The provider's part of `GET /currencies` (`method_details`), and of what is refused before it is asked. */
export interface ProviderTraits {
  readonly depositRequirements: readonly DepositRequirement[];
  readonly pspNotes: readonly string[];
  /** `false` if it receives only, and withdrawals are refused. */
  readonly sendsPayouts: boolean;
  readonly limits: AccountLimits;
}

/** The amounts of one payment that the account's contract with its bank allows. */
export interface AccountLimits {
  readonly deposit: AmountLimits;
  readonly withdrawal: AmountLimits;
}

/** Both inclusive; null: no limit. */
export interface AmountLimits {
  readonly minMinor: bigint | null;
  readonly maxMinor: bigint | null;
}

export interface ChargeRequest {
  /** `txid`: the deposit's reference. A repeat never creates a second charge. */
  readonly reference: string;
  readonly amountMinor: bigint;
  readonly expiresInSeconds: number;
  readonly payer: { readonly document: TaxDocument; readonly name: string | null; readonly email: string | null };
  readonly description: string;
}

export interface Charge {
  readonly reference: string;
  readonly copyPaste: string;
  /** PNG in base64; null when the provider supplies none. */
  readonly qrCodePngBase64: string | null;
  /** When the provider made it, by its own clock, RFC 3339; `null` if it does not say. */
  readonly createdAt: string | null;
  /** The provider's own expiry by its own clock, which can differ from the requested one. RFC 3339. */
  readonly expiresAt: string;
  /** Whether its location is at a host that the configuration knows as a test environment's: the environment guard. */
  readonly sandboxMarker: boolean;
  /** Whether that host serves test codes only, which cannot be paid in production. */
  readonly isOfTestHost: boolean;
  readonly amountMinor: bigint;
}

/** Inconclusive: timeout, 5xx or an answer that cannot be used. */
export interface Unknown {
  readonly kind: 'unknown';
  readonly reason: string;
  /** Absent where there is nothing but to ask again: no answer, load, a provider that is down. */
  readonly doubt?: AnswerDoubt;
  /** The provider named a time before which it wants no call. */
  readonly retryAfterSeconds?: number;
}

/** What people must know of an answer that cannot be used. `field`: its name, never what is in it. */
export type AnswerDoubt =
  | { readonly kind: 'unreadable'; readonly field: string }
  /** The code to copy is not that of the charge. */
  | { readonly kind: 'foreign_code' };

export type ChargeOutcome =
  | { readonly kind: 'created'; readonly charge: Charge }
  /** Conclusively refused. `code` becomes the deposit's failure code. */
  | { readonly kind: 'refused'; readonly code: string }
  /** A retry with the same reference is safe. */
  | Unknown;

/** One credit on a charge. */
export interface ReceivedPix {
  readonly endToEndId: string;
  readonly amountMinor: bigint;
  /** When the payer paid, by the provider's clock. RFC 3339. */
  readonly paidAt: string;
  /** `null` when the provider does not report the payer. Documents may be masked. */
  readonly payer: {
    readonly document: { readonly type: 'CPF' | 'CNPJ'; readonly number: string } | null;
    readonly name: string | null;
  } | null;
  readonly reversals: readonly Reversal[];
  /** The provider's fee for it; `null` if it does not say. */
  readonly feeMinor: bigint | null;
}

export interface Reversal {
  /** The gateway's reference of a return that it requested, or the provider's id. */
  readonly reference: string;
  readonly amountMinor: bigint;
  readonly kind: 'refund' | 'chargeback';
  /** Only `done` has moved money. */
  readonly status: 'pending' | 'done' | 'refused';
  /** When it was done or, before that, requested. RFC 3339. */
  readonly at: string;
  /** The return's identifier in PIX (`D…`), if the provider reports it. */
  readonly returnId?: string;
}

export type ChargeLookup =
  | {
      readonly kind: 'found';
      readonly status: 'open' | 'paid' | 'removed';
      /** As of `Charge`. */
      readonly createdAt: string | null;
      readonly payments: readonly ReceivedPix[];
    }
  /** The provider does not know the charge. Soon after a lost answer this proves nothing. */
  | { readonly kind: 'not_found' }
  | Unknown;

export type ReversalOutcome =
  | { readonly kind: 'accepted'; readonly reversal: Reversal }
  | { readonly kind: 'refused'; readonly code: string }
  | Unknown;

export interface PayoutRequest {
  /** The withdrawal's reference: the provider's idempotency key. */
  readonly reference: string;
  readonly amountMinor: bigint;
  /** As the directory spells it (`normalizePixKey`). A malformed key is never sent. */
  readonly key: { readonly type: PixKeyType; readonly value: string };
  readonly beneficiaryDocument: TaxDocument;
  /** From the key look-up; null without one. */
  readonly lookupEndToEndId: string | null;
  readonly description: string;
  /**
   * Asked when the connection is open, before the first byte leaves. `false`: nothing is sent, because the permission
   * to send has expired or would not be given any more.
   */
  readonly mayLeave: () => boolean | Promise<boolean>;
}

/** A completed return of a payout, or of a part of it. */
interface PayoutReturn {
  /** The provider's id of it. Unique within the payout. */
  readonly reference: string;
  readonly amountMinor: bigint;
  /** RFC 3339. */
  readonly at: string;
  readonly code: string | null;
}

/** A payout as the provider reports it. */
export interface Payout {
  readonly reference: string;
  readonly status: 'processing' | 'paid' | 'failed';
  readonly endToEndId: string | null;
  /** ISO 20022 reason (AC03, AM02, …) or the provider's code; only with `failed`. */
  readonly failureCode: string | null;
  readonly paidAt: string | null;
  /** What the receiving bank has sent back after `paid`: the completed returns, in the order of their times. */
  readonly returns: readonly PayoutReturn[];
  /** The provider's fee for it; `null` if it does not say. */
  readonly feeMinor: bigint | null;
}

export type PayoutOutcome =
  | { readonly kind: 'reply'; readonly payout: Payout }
  /** Nothing was sent (connection refused, name not resolved): a later send is still the first. */
  | { readonly kind: 'not_sent'; readonly reason: string }
  /** Refused before it was taken, because the account lacks the money: a later send is still the first. */
  | { readonly kind: 'no_funds' }
  /** It may have arrived. Only a look-up is conclusive. */
  | Unknown;

export type PayoutLookup =
  | { readonly kind: 'found'; readonly payout: Payout }
  | { readonly kind: 'not_found' }
  | Unknown;

export type KeyOwnerLookup =
  | { readonly kind: 'match'; readonly strength: 'full' | 'masked'; readonly endToEndId: string | null }
  | { readonly kind: 'mismatch' }
  /** There is no directory to ask: the provider compares the holder when it sends, and refuses another's key. */
  | { readonly kind: 'at_send' }
  /** The directory does not know the key. Never retried: a 404 costs 20 tokens of the participant's budget. */
  | { readonly kind: 'no_such_key' }
  | { readonly kind: 'unavailable'; readonly reason: string; readonly retryAfterSeconds: number | null };

export interface ListQuery {
  /** By the moment of the payment or of the case's opening, at the provider's clock. RFC 3339. */
  readonly from: string;
  readonly to: string;
  /** The cursor of the previous page; `null` for the first. */
  readonly cursor: string | null;
}

export interface ReceivedQuery extends ListQuery {
  readonly part: ReceivedPart;
}

export interface SentQuery extends ListQuery {
  readonly part: SentPart;
}

/** One page of a list of the account. */
export type AccountList<Item> =
  | {
      readonly kind: 'page';
      readonly items: readonly Item[];
      /** How many could not be read. */
      readonly unreadable: number;
      /** A name for each of those: its end-to-end id, or a digest of it. Absent without any. */
      readonly unread?: readonly string[];
      /** The cursor of the next page; null at the end. */
      readonly next: string | null;
    }
  /** The account may not list. A retry cannot help. */
  | { readonly kind: 'refused'; readonly reason: string }
  | Unknown;

export type ReceivedList = AccountList<Receipt>;
export type DisputeList = AccountList<Dispute>;
export type PayoutList = AccountList<ListedMovement>;

/** What can be sent from the account now. */
export type BalanceAnswer =
  /** `blockedMinor`: in addition, and blocked by a court, a bank's precaution or a dispute; `null` if not answered. */
  | { readonly kind: 'balance'; readonly availableMinor: bigint; readonly blockedMinor: bigint | null }
  /** The dialect does not report it. */
  | { readonly kind: 'unsupported' }
  | Unknown;

/** The content of a callback. It is a trigger only: the workflow looks the facts up. */
export type ProviderNotice =
  /** `endToEndId`: `null` if it cannot be read. The charge shows what was paid. */
  | { readonly kind: 'charge'; readonly reference: string; readonly endToEndId: string | null }
  | { readonly kind: 'payout'; readonly reference: string; readonly endToEndId: string | null }
  /** News of a payment or payout that the provider names by its end-to-end id only, such as a return. */
  | { readonly kind: 'return'; readonly endToEndId: string };

export type CallbackVerdict =
  /** A trial of the address that proves no sender: it is answered, and nothing of it is kept. */
  | { readonly kind: 'trial' }
  /** Proved. `unreadable`: what of a batch could not be read, by field and never by value. The rest is applied. */
  | { readonly kind: 'accepted'; readonly notices: readonly ProviderNotice[]; readonly unreadable?: readonly string[] }
  /** Not from the provider: wrong secret, or the key of another receiver. */
  | { readonly kind: 'forged'; readonly reason: RecordWords['forgery'] }
  | { readonly kind: 'malformed'; readonly reason: string }
  /** It cannot be verified now. The provider should repeat it. */
  | { readonly kind: 'unverifiable'; readonly reason: string };

/** What the edge reports of a client certificate (ops/edge): nginx's verdict, and the subject. */
export const CERTIFICATE_HEADER = 'x-provider-certificate';

export interface CallbackRequest {
  readonly path: string;
  /** Without its question mark; empty without one. */
  readonly query: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
}

/** A payment provider. Every call is limited in time and size, and never throws for an error of the provider. */
export interface Provider {
  readonly name: AccountName;
  /**
   * The text by which its answers are read: the dialect, and the version or date of the provider's document that it was
   * written from. Stored with what an answer changed.
   */
  readonly contract: string;
  readonly traits: ProviderTraits;
  createCharge(request: ChargeRequest): Promise<ChargeOutcome>;
  /** `expected` is the person who should have paid. Some providers report only whether a document is the payer's. */
  lookUpCharge(reference: string, expected?: TaxDocument): Promise<ChargeLookup>;
  /** Returns a received PIX to its payer. A repeat with the same `reference` reports the first return. */
  requestReversal(request: { endToEndId: string; reference: string; amountMinor: bigint }): Promise<ReversalOutcome>;
  sendPayout(request: PayoutRequest): Promise<PayoutOutcome>;
  /** An answer with another amount than was sent is `unknown`. */
  lookUpPayout(request: { reference: string; amountMinor: bigint }): Promise<PayoutLookup>;
  readBalance(): Promise<BalanceAnswer>;
  /** The lists that the account offers. */
  readonly lists: readonly SweptPart[];
  /** What arrived on the account. Pages may overlap. */
  listReceived(query: ReceivedQuery): Promise<ReceivedList>;
  /**
   * All payouts that left the account, by the time of the send. If the list has returns without their payment, also
   * those, by their own time. Pages may overlap.
   */
  listPayouts(query: SentQuery): Promise<PayoutList>;
  /** Disputed payments by when the cases were opened, in their present states. */
  listDisputes(query: ListQuery): Promise<DisputeList>;
  /**
   * Compares the holder of a PIX key with the expected document. Malformed keys are never sent to the directory. Its
   * budget is shared: an operation whose unknown keys have used too much of it must wait (`unavailable`).
   */
  lookUpKeyOwner(request: {
    operationId: string;
    key: { type: PixKeyType; value: string };
    expected: TaxDocument;
  }): Promise<KeyOwnerLookup>;
}

/** The other direction: a provider's callbacks. It cannot call a provider. */
export interface CallbackReader {
  readonly name: AccountName;
  /** Whether a callback with the same bytes as an earlier one may report something new. */
  readonly reusesCallbackBodies: boolean;
  /** Verifies and parses a callback that reached `/callbacks/{provider}/…`. It may have to fetch public keys. */
  parseCallback(request: CallbackRequest): CallbackVerdict | Promise<CallbackVerdict>;
}

/** Returns the reader of that provider's callbacks; undefined where it has none here. */
export type CallbackReaders = (name: AccountName) => CallbackReader | undefined;

/** Returns the provider with the name in the operation's configuration. */
export type ProviderRegistry = (name: AccountName) => Provider;

/** Steers the sandbox's simulated provider. Exists outside production only. */
export interface SandboxSteering {
  /** Pays a charge. Returns the payment's end-to-end id, or why the simulator refused. */
  payCharge(
    provider: AccountName,
    reference: string,
    payment: { amountMinor: bigint | null; payerDocument: TaxDocument | null },
  ): Promise<SteeringResult>;
  /** Returns the last payment of a charge: `refund` by the receiver, `chargeback` by the special return mechanism. */
  /** `amountMinor`: null for what is left. */
  reverseCharge(
    provider: AccountName,
    reference: string,
    order: { readonly kind: 'refund' | 'chargeback'; readonly amountMinor: bigint | null },
  ): Promise<SteeringResult>;
  settlePayout(
    provider: AccountName,
    reference: string,
    result: 'paid' | 'failed' | 'returned',
    failureCode?: string,
  ): Promise<SteeringResult>;
  /** A send that was lost is found at the bank after all, and settled as ordered before. */
  findPayout(provider: AccountName, reference: string, amountMinor: bigint): Promise<SteeringResult>;
}

export type SteeringResult =
  | { readonly kind: 'done'; readonly endToEndId: string | null }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unavailable'; readonly reason: string };
