// Entry point: builds the adapters of the configured accounts, and the sandbox's steering.
import { slotOf } from '../domain/provider-accounts.js';
import { traitsOf } from './capabilities.js';
import type { OpenProvider } from './dialect-entry.js';
import type { Drift } from './common/drift.js';
import { DIALECTS } from './dialects.js';
import {
  type CallbackReader,
  type CallbackReaders,
  type Provider,
  type AccountName,
  type ProviderTraits,
} from './port.js';
import {
  type AccountDialects,
  type LimitsOfAccounts,
  accountVariable,
  type CallbacksConfig,
  type ProviderOptions,
  type ProvidersConfig,
  type SharedOptions,
} from './settings.js';

export { createSteering } from './steering.js';

/** A `ProviderRegistry` with open connections. */
export interface OpenProviders {
  (name: AccountName): Provider;
  /** The accounts that have a configuration. */
  readonly names: readonly AccountName[];
  close(): Promise<void>;
}

/** Opens every configured account. The registry throws for one without configuration. */
export function createProviders({ providers: accounts }: ProvidersConfig, options: SharedOptions = {}): OpenProviders {
  const providers = new Map<AccountName, OpenProvider>();
  for (const [name, settings] of entriesOf(accounts))
    providers.set(name, DIALECTS[settings.dialect].open(name, settings, optionsOf(name, options)));
  const find = (name: AccountName): Provider => {
    const provider = providers.get(name);
    if (!provider)
      throw new Error(`provider ${name} is not configured: set ${accountVariable(name, 'URL')} and its companions`);
    return provider;
  };
  const close = async (): Promise<void> => {
    await Promise.all(Array.from(providers.values(), (provider) => provider.close()));
  };
  return Object.assign(find, { names: [...providers.keys()], close });
}

function entriesOf<Settings extends object>(accounts: Readonly<Partial<Record<AccountName, Settings>>>) {
  return Object.entries(accounts) as [AccountName, Settings][];
}

/** The options of all accounts as those of one. */
function optionsOf(name: AccountName, { noteDrift, ...common }: SharedOptions): ProviderOptions {
  return noteDrift === undefined ? common : { ...common, noteDrift: (what: Drift) => noteDrift(name, what) };
}

/** The readers of the callbacks that are configured. They hold no credential of a provider. */
export function createCallbackReaders({ callbacks }: CallbacksConfig, options: SharedOptions = {}): CallbackReaders {
  const readers = new Map<AccountName, CallbackReader>(
    entriesOf(callbacks).map(([name, settings]) => [
      name,
      DIALECTS[settings.dialect].openCallbacks(name, settings, optionsOf(name, options)),
    ]),
  );
  return (name) => readers.get(name);
}

/** The traits of each account for the api, whether or not the account has other settings. */
export function accountTraits(
  dialects: AccountDialects,
  limits: LimitsOfAccounts = {},
): (name: AccountName) => ProviderTraits {
  return (name) => traitsOf(DIALECTS[dialects[name] ?? dialects[slotOf(name)]].capabilities, limits[name]);
}
