// Entry point: builds the configured providers and the sandbox's steering.
import {
  type CallbackReaders,
  PROVIDER_NAMES,
  type Provider,
  type ProviderName,
  type ProviderTraits,
} from '../port.js';
import { PixApiProvider, type PixApiOptions } from './adapter.js';
import { parseCallback } from './callbacks.js';
import type { CallbacksConfig, ProvidersConfig } from './config.js';
import { DIALECTS } from './dialects.js';

export type { PixApiOptions } from './adapter.js';
export type { CallbacksConfig, ProvidersConfig } from './config.js';
export { createSteering } from './steering.js';

/** A `ProviderRegistry` with open connections. */
export interface OpenProviders {
  (name: ProviderName): Provider;
  /** The providers that have a configuration. */
  readonly names: readonly ProviderName[];
  close(): Promise<void>;
}

/** Builds every configured provider. The registry throws for a provider without configuration. */
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

/** The readers of the callbacks that are configured. They hold no credential of a provider. */
export function createCallbackReaders({ callbacks }: CallbacksConfig): CallbackReaders {
  return (name) => {
    const config = callbacks[name];
    if (config === undefined) return undefined;
    return { name, parseCallback: (request) => parseCallback(name, config, DIALECTS[name], request) };
  };
}

/** The traits of a provider for `GET /currencies`, configured or not. */
export function traitsOf(name: ProviderName): ProviderTraits {
  return DIALECTS[name].traits;
}
