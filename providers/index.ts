// Every dialect behind the port, and the adapters of the configured accounts.
import { type DialectEntry, traitsOf, type OpenProvider } from './dialect-entry.js';
import {
  type DialectName,
  type AccountDialects,
  type LimitsOfAccounts,
  accountVariable,
  type CallbacksConfig,
  type ProviderOptions,
  type ProvidersConfig,
  type SharedOptions,
} from './settings.js';
import { API_PIX, BANCO_DO_BRASIL, SICOOB, SICREDI } from './pix-api/banks.js';
import { EFI } from './pix-api/efi.js';
import { pixApi } from './pix-api/entry.js';
import { SIMULATOR, SIMULATOR_A, SIMULATOR_B } from './pix-api/simulator-dialects.js';
import { WOOVI } from './woovi/entry.js';
import { slotOf } from '../domain/provider-accounts.js';
import type { Drift } from './common/answers.js';
import type { CallbackReader, CallbackReaders, Provider, AccountName, ProviderTraits } from './port.js';

export const DIALECTS: Readonly<Record<DialectName, DialectEntry>> = {
  simulator: pixApi(SIMULATOR),
  'simulator-a': pixApi(SIMULATOR_A),
  'simulator-b': pixApi(SIMULATOR_B),
  efi: pixApi(EFI),
  woovi: WOOVI,
  'api-pix': pixApi(API_PIX),
  sicredi: pixApi(SICREDI),
  'banco-do-brasil': pixApi(BANCO_DO_BRASIL),
  sicoob: pixApi(SICOOB),
};

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
