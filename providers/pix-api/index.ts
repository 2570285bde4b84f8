// The way in: builds the configured providers, and the sandbox's steering.
import { PROVIDER_NAMES, type Provider, type ProviderName, type ProviderTraits } from '../port.js';
import { PixApiProvider, type PixApiOptions } from './adapter.js';
import type { ProvidersConfig } from './config.js';
import { DIALECTS } from './dialects.js';

export type { PixApiOptions } from './adapter.js';
export type { ProvidersConfig } from './config.js';
export { createSteering } from './steering.js';

/** A `ProviderRegistry` that can be closed with its process. */
export interface OpenProviders {
  (name: ProviderName): Provider;
  /** The providers that have a configuration. */
  readonly names: readonly ProviderName[];
  close(): Promise<void>;
}

/** Builds every configured provider. Asking for one without configuration is a fault and throws. */
export function createProviders(config: ProvidersConfig, options: PixApiOptions = {}): OpenProviders {
  const providers = new Map<ProviderName, PixApiProvider>();
  for (const name of PROVIDER_NAMES) {
    const settings = config.providers[name];
    if (settings) providers.set(name, new PixApiProvider(name, settings, options));
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

/** What `GET /currencies` says of a provider, whether or not it is configured here. */
export function traitsOf(name: ProviderName): ProviderTraits {
  return DIALECTS[name].traits;
}
