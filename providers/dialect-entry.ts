// The entry of a dialect in the table of dialects.
import type { ProviderAccount } from './account.js';
import type { Capabilities } from './capabilities.js';
import type { CallbackReader, Provider, AccountName } from './port.js';
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
