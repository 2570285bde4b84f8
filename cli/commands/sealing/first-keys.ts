// The first keys of a vault: new ones, or the keys of the environment.
import { readHeldKeys } from '../../../platform/config/cli.js';
import type { WrappedKey } from '../../../store/sealing/data-keys.js';
import type { Transit } from '../../../store/sealing/transit.js';

const HASH_KEY_ID = 'hash';

/** A sealing key and a hash key, created by the vault. */
export async function firstKeys(transit: Transit): Promise<WrappedKey[]> {
  const [sealing, hash] = await Promise.all([transit.newDataKey(), transit.newDataKey()]);
  const activeFrom = new Date();
  return [
    { id: 'v1', purpose: 'sealing', wrapped: sealing.wrapped, activeFrom },
    { id: HASH_KEY_ID, purpose: 'hash', wrapped: hash.wrapped, activeFrom },
  ];
}

/** The environment's keys, with their ids. The first one stays the current key. */
export async function heldFirstKeys(transit: Transit, environment: NodeJS.ProcessEnv): Promise<WrappedKey[]> {
  const { sealing, hash } = readHeldKeys(environment);
  const nowMs = Date.now();
  const wrapped = sealing.map(async ({ id, key }, index): Promise<WrappedKey> => ({
    id,
    purpose: 'sealing',
    wrapped: await transit.wrap(key),
    activeFrom: new Date(nowMs - index * 1_000),
  }));
  return Promise.all([
    ...wrapped,
    transit
      .wrap(hash)
      .then((text): WrappedKey => ({ id: HASH_KEY_ID, purpose: 'hash', wrapped: text, activeFrom: new Date(nowMs) })),
  ]);
}
