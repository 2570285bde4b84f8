// Opens a process's keys, from its configuration or from a vault.
import type { Database } from '../database.js';
import type { KeyProvider } from './sealer.js';
import { createTransit, type TransitConfig } from './transit.js';
import { type OpenKeys, VaultKeys } from './vault-keys.js';

/** Keys in the configuration itself, or the vault that has them. */
export type KeySource =
  { readonly kind: 'held'; readonly keys: KeyProvider } | { readonly kind: 'vault'; readonly transit: TransitConfig };

/** Starts opening the keys. Does not fail if the vault does not answer: `ready` rejects, and every use throws. */
export function openKeys(source: KeySource, database: Database): OpenKeys {
  if (source.kind === 'vault') {
    const keys = new VaultKeys({ database, transit: createTransit(source.transit) });
    keys.ready().catch(() => undefined);
    return keys;
  }
  const { keys } = source;
  return {
    current: () => keys.current(),
    byId: (id) => keys.byId(id),
    hashKey: () => keys.hashKey(),
    ready: () => Promise.resolve(),
    snapshot: () => keys,
    close: () => Promise.resolve(),
  };
}
