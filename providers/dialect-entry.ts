// The entry of a dialect in the table of dialects: what it can do, as data from which the requirements and notes for
// operators derive, and what a person who sets up an account at it needs. No payment depends on the last.
import type {
  CallbackReader,
  Provider,
  AccountName,
  AccountLimits,
  DepositRequirement,
  ProviderTraits,
} from './port.js';
import type {
  CallbackField,
  CallbackOptions,
  CallbackSettings,
  CallField,
  CallSettings,
  FieldsOf,
  ProviderOptions,
} from './settings.js';

/** A provider with open connections. Running calls become `unknown` when it closes. */
export interface OpenProvider extends Provider {
  close(): Promise<void>;
}

export interface ProvingAnswers {
  /** A refused payout's word, and its failure code; `null` if the word is final only together with one of `codes`. */
  readonly payouts: Readonly<Record<string, string | null>>;
  readonly codes: readonly string[];
  /** The provider's status words of refused returns. */
  readonly returns: readonly string[];
}

export interface DialectEntry {
  /** See `Provider.contract`. */
  readonly contract: string;
  readonly capabilities: Capabilities;
  /** Its known addresses. Those of production are refused outside production, those of the sandbox in it. */
  readonly hosts: { readonly real: readonly string[]; readonly test: readonly string[] };
  readonly calls: FieldsOf<CallField>;
  readonly callbacks: FieldsOf<CallbackField>;
  readonly open: (slot: AccountName, settings: CallSettings, options: ProviderOptions) => OpenProvider;
  /** For the person who sets the account up. */
  readonly openAccount: (slot: AccountName, settings: CallSettings) => ProviderAccount;
  /** Which of its answers prove that no money moved, for the documentation. */
  readonly provingAnswers: ProvingAnswers;
  /** What verifies and parses the callbacks that reach `/callbacks/{slot}` or a path below it. */
  readonly openCallbacks: (slot: AccountName, settings: CallbackSettings, options: CallbackOptions) => CallbackReader;
}

const UNLIMITED = { minMinor: null, maxMinor: null } as const;

/** An account of which no limits are configured. */
export const NO_LIMITS: AccountLimits = { deposit: UNLIMITED, withdrawal: UNLIMITED };

export interface Capabilities {
  /** Fields of `POST /deposits` without which it takes no charge. */
  readonly depositRequirements: readonly DepositRequirement[];
  /** Whether a look-up of a paid charge can name its payer. */
  readonly namesPayer: boolean;
  /** `directory`: it reports the holder of a key. `at_send`: it compares the holder itself, and refuses the payout. */
  readonly keyOwners: 'directory' | 'at_send' | 'never';
  readonly sendsPayouts: boolean;
  /** Whether a callback with the same bytes as an earlier one may report something new: that a payout came back. */
  readonly reusesCallbackBodies: boolean;
}

/** The requirements and notes for operators, and what is refused before the provider is asked. */
export function traitsOf(capabilities: Capabilities, limits: AccountLimits = NO_LIMITS): ProviderTraits {
  const { depositRequirements, namesPayer, sendsPayouts } = capabilities;
  return { depositRequirements, pspNotes: namesPayer ? [] : ['payer_identity_unavailable'], sendsPayouts, limits };
}

export type SignIn =
  | {
      readonly kind: 'signed_in';
      /** What the credentials may do; `null` if not answered. */
      readonly scopes: readonly string[] | null;
      /** The provider's clock, RFC 3339; `null` if not answered. */
      readonly at: string | null;
    }
  /** Answered, and not with a yes. */
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unreached'; readonly reason: string };

export interface RegisteredWebhook {
  /** `null` for one address for everything. */
  readonly event: string | null;
  readonly url: string;
}

export interface KnownWebhook extends RegisteredWebhook {
  /** By which it is removed; `null` where the next one takes its place. */
  readonly id: string | null;
}

export type WebhooksAnswer =
  | { readonly kind: 'webhooks'; readonly webhooks: readonly KnownWebhook[] }
  /** The dialect has no such call. */
  | { readonly kind: 'unsupported' }
  | { readonly kind: 'unknown'; readonly reason: string };

export interface WebhookOrder {
  /** The edge's address, without a path: `https://edge.example:8443`. */
  readonly edge: string;
  /** The secret that proves callbacks, if it is a text. */
  readonly secret: string | null;
  /** The edge demands the provider's client certificate. */
  readonly isCertificateDemanded: boolean;
}

export type WebhookRegistered =
  | { readonly kind: 'registered' }
  | { readonly kind: 'unsupported' }
  | { readonly kind: 'refused' | 'unknown'; readonly reason: string };

export type WebhookRemoved =
  | { readonly kind: 'removed' }
  | { readonly kind: 'refused' | 'unknown'; readonly reason: string };

export interface ProviderAccount {
  /** Scopes that the gateway's calls need; empty where the dialect names none. */
  readonly neededScopes: readonly string[];
  signIn(): Promise<SignIn>;
  readWebhooks(): Promise<WebhooksAnswer>;
  /** What has to be registered. The addresses of some dialects contain the secret: show them by `withoutQuery`. */
  webhooksFor(order: WebhookOrder): readonly RegisteredWebhook[];
  /** Registers one of them. Registering the same address again is harmless. */
  registerWebhook(webhook: RegisteredWebhook, order: WebhookOrder): Promise<WebhookRegistered>;
  /** Removes one that `readWebhooks` gave an id of. */
  removeWebhook(id: string): Promise<WebhookRemoved>;
  close(): Promise<void>;
}

/** The address without its query, which may hold a secret. */
export function withoutQuery(url: string): string {
  return url.split('?', 1)[0]!;
}
