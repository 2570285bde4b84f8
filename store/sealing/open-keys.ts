// Opens the keys of a process from what its configuration says.
import type { Database } from '../database.js';
import type { KeyProvider } from './sealer.js';
import { createTransit, type TransitConfig } from './transit.js';
import { type OpenKeys, VaultKeys } from './vault-keys.js';

/** Keys that the configuration holds itself, or where a vault is. */
export type KeySource =
  { readonly kind: 'held'; readonly keys: KeyProvider } | { readonly kind: 'vault'; readonly transit: TransitConfig };

/** The keys, opening. A vault that does not answer is no error here: `ready` says so, and every use throws. */
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
