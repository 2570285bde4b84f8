// Entry point: builds what stands behind the configured slots, and the sandbox's steering.
import { traitsOf } from './capabilities.js';
import type { OpenProvider } from './dialect-entry.js';
import type { Drift } from './common/drift.js';
import { DIALECTS } from './dialects.js';
import {
  type CallbackReader,
  type CallbackReaders,
  PROVIDER_NAMES,
  type Provider,
  type ProviderName,
  type ProviderTraits,
} from './port.js';
import type { CallbacksConfig, ProviderOptions, ProvidersConfig, SlotDialects, SlotOptions } from './settings.js';

export { createSteering } from './steering.js';

/** A `ProviderRegistry` with open connections. */
export interface OpenProviders {
  (name: ProviderName): Provider;
  /** The slots that have a configuration. */
  readonly names: readonly ProviderName[];
  close(): Promise<void>;
}

/** Opens every configured slot. The registry throws for a slot without configuration. */
export function createProviders(config: ProvidersConfig, options: SlotOptions = {}): OpenProviders {
  const providers = new Map<ProviderName, OpenProvider>();
  for (const name of PROVIDER_NAMES) {
    const settings = config.providers[name];
    if (!settings) continue;
    providers.set(name, DIALECTS[settings.dialect].open(name, settings, optionsOf(name, options)));
  }
  const find = (name: ProviderName): Provider => {
    const provider = providers.get(name);
    if (!provider)
      throw new Error(`provider ${name} is not configured: set PROVIDER_${name.toUpperCase()}_URL and its companions`);
    return provider;
  };
  const close = async (): Promise<void> => {
    await Promise.all(Array.from(providers.values(), (provider) => provider.close()));
  };
  return Object.assign(find, { names: [...providers.keys()], close });
}

/** The options of all slots as those of one. */
function optionsOf(name: ProviderName, { noteDrift, ...common }: SlotOptions): ProviderOptions {
  return noteDrift === undefined ? common : { ...common, noteDrift: (what: Drift) => noteDrift(name, what) };
}

/** The readers of the callbacks that are configured. They hold no credential of a provider. */
export function createCallbackReaders({ callbacks }: CallbacksConfig, options: SlotOptions = {}): CallbackReaders {
  const readers = new Map<ProviderName, CallbackReader>();
  for (const name of PROVIDER_NAMES) {
    const settings = callbacks[name];
    if (settings) readers.set(name, DIALECTS[settings.dialect].openCallbacks(name, settings, optionsOf(name, options)));
  }
  return (name) => readers.get(name);
}

/** The traits of each slot for `GET /currencies`, configured further or not. */
export function slotTraits(dialects: SlotDialects): (name: ProviderName) => ProviderTraits {
  return (name) => traitsOf(DIALECTS[dialects[name]].capabilities);
}
