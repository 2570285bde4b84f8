// The dialects by name, the default dialect of each slot, and the settings of an account at a provider.
// platform/config/providers.ts reads them from the environment.
import { type SlotName, type AccountName, isOwnAccount, slotOf } from '../domain/provider-accounts.js';
import type { Drift, NoteDrift } from './common/answers.js';
import type { AccountLimits } from './port.js';

/** The `simulator` ones are the sandbox's own and exist at no bank. */
export const DIALECT_NAMES = [
  'simulator',
  'simulator-a',
  'simulator-b',
  'efi',
  'woovi',
  'api-pix',
  'sicredi',
  'banco-do-brasil',
  'sicoob',
] as const;
export type DialectName = (typeof DIALECT_NAMES)[number];

/** In a sandbox. Production names a bank's dialect for every slot that it uses. */
export const DEFAULT_DIALECTS = {
  simulator: 'simulator',
  a: 'simulator-a',
  b: 'simulator-b',
} as const satisfies Record<SlotName, DialectName>;

/** Whether a dialect is only spoken in a sandbox. */
export function isOfSandbox(name: DialectName): boolean {
  return name.startsWith('simulator');
}

export interface TlsSettings {
  /** PEM texts: the client certificate and key, and the provider's certificate authority if it is private. */
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  readonly ca?: string | undefined;
  /** The same certificate and key in one PKCS#12 file, and its password. */
  readonly pfx?: Buffer | undefined;
  readonly passphrase?: string | undefined;
}

/** For processes that call the provider. */
export interface CallSettings {
  readonly dialect: DialectName;
  /** Base address with the provider's path prefix, without a slash at the end. */
  readonly url: string;
  /** `null` if the dialect has none. */
  readonly clientId: string | null;
  /** Empty where a certificate alone proves the client. */
  readonly clientSecret: string;
  /** The address of tokens, if not the dialect's. */
  readonly tokenUrl?: string;
  /** The scopes of tokens, separated by spaces, if not those of the dialect. */
  readonly scopes?: string;
  /** Sent with every call, for banks that require the name of the application. */
  readonly callHeaders?: Readonly<Record<string, string>>;
  /** Behind the address of every call. */
  readonly callQuery?: Readonly<Record<string, string>>;
  /** Prefixes of the standard's paths, if not those of the dialect: by `cob`, `cobs`, `pix`, `webhook`. */
  readonly pathPrefixes?: Readonly<Record<string, string>>;
  /** The key that charges are received on and payouts are made from: `chave`. */
  readonly pixKey: string;
  /** Hosts of the locations in codes that cannot be paid with real money; without any: the host of `url`. */
  readonly testLocationHosts?: readonly string[];
  readonly tls?: TlsSettings;
}

/** The proof of a provider's callbacks. The ingress holds this and nothing that could call the provider. */
export interface CallbackSettings {
  readonly dialect: DialectName;
  /** A callback for another key is not ours. Null where callbacks name none. */
  readonly pixKey: string | null;
  /** The shared secret that authenticates the provider's callbacks; null where the dialect proves them otherwise. */
  readonly callbackSecret: string | null;
  /** The subject of the client certificate that the edge verifies and passes on; `null` if it requires none. */
  readonly callbackCertificate: string | null;
  /** Where the keys are published that callbacks are signed with; null where they are not. */
  readonly keysUrl: string | null;
}

/** The name of the account's variable for a field: `PROVIDER_A_ACCOUNT_ACME_URL`. */
export function accountVariable(account: AccountName, field: string): string {
  const own = isOwnAccount(account) ? `_ACCOUNT_${account.slice(slotOf(account).length + 1).toUpperCase()}` : '';
  return `PROVIDER_${slotOf(account).toUpperCase()}${own}_${field}`;
}

/** The variables of an account, without the prefix by `accountVariable`, for processes that call it. */
export const CALL_FIELDS = [
  'URL',
  'CLIENT_ID',
  'CLIENT_SECRET',
  'PIX_KEY',
  'TEST_LOCATION_HOSTS',
  'TLS_CERT_FILE',
  'TLS_KEY_FILE',
  'TLS_CA_FILE',
  'TLS_PFX_FILE',
  'TLS_PFX_PASSWORD',
  'TOKEN_URL',
  'SCOPES',
  'CALL_HEADERS',
  'CALL_QUERY',
  'PATH_PREFIXES',
] as const;
export type CallField = (typeof CALL_FIELDS)[number];

/** For processes that take its callbacks. */
export const CALLBACK_FIELDS = ['PIX_KEY', 'CALLBACK_SECRET', 'CALLBACK_CERTIFICATE', 'CALLBACK_KEYS_URL'] as const;
export type CallbackField = (typeof CALLBACK_FIELDS)[number];

/** Which variables a dialect needs, and which it takes besides. Any other is a mistake, and named. */
export interface FieldsOf<Field> {
  readonly needs: readonly Field[];
  readonly takes: readonly Field[];
}

export interface ProviderOptions {
  /** Time limit of one call, default 8 s. */
  readonly callTimeoutMs?: number;
  /** Time limit of one key look-up, default 3 s. */
  readonly keyLookupTimeoutMs?: number;
  readonly now?: () => number;
  /**
   * Headers that pass the caller's trace to the provider; absent: none. Token requests, which calls share, have none.
   */
  readonly traceHeaders?: () => Readonly<Record<string, string>>;
  readonly noteDrift?: NoteDrift;
}

/** For all accounts. */
export interface SharedOptions extends Omit<ProviderOptions, 'noteDrift'> {
  readonly noteDrift?: (account: AccountName, what: Drift) => void;
}

export type CallbackOptions = Pick<ProviderOptions, 'now' | 'noteDrift'>;

export interface ProvidersConfig {
  readonly providers: Readonly<Partial<Record<AccountName, CallSettings>>>;
}

export interface CallbacksConfig {
  readonly callbacks: Readonly<Partial<Record<AccountName, CallbackSettings>>>;
}

/**
 * The dialect of each account, whether or not it has other settings. An account that is not named here has its slot's.
 */
export type AccountDialects = Readonly<Record<SlotName, DialectName> & Partial<Record<AccountName, DialectName>>>;

/** An account's limits for one payment, in minor units. The api refuses what is outside. */
export const LIMIT_FIELDS = [
  'DEPOSIT_MIN_MINOR',
  'DEPOSIT_MAX_MINOR',
  'WITHDRAWAL_MIN_MINOR',
  'WITHDRAWAL_MAX_MINOR',
] as const;
export type LimitField = (typeof LIMIT_FIELDS)[number];

/** An account that is not named here has no limits: those of its slot's shared account are not its own. */
export type LimitsOfAccounts = Readonly<Partial<Record<AccountName, AccountLimits>>>;

export interface SteeringConfig {
  /** Root of the simulator's control interface; null when sandbox steering is off, as in production. */
  readonly controlUrl: string | null;
}
