// The keys that the vault makes or wraps: the first ones (new, or those of the environment), the next, the same again.
import type { NewKeys, WrappedKey } from '../../store/sealing/data-keys.js';
import { KEY_PURPOSES, keyOfPurpose, SEALING_PURPOSES } from '../../store/sealing/keys.js';
import type { Transit } from '../../store/sealing/transit.js';

const LOOK_UP_KEY_ID = 'hash';

/** A sealing key of each purpose, made by the vault. */
export function newSealingKeys(transit: Transit): Promise<NewKeys> {
  return Promise.all(
    SEALING_PURPOSES.map(async (purpose) => ({ purpose, wrapped: await transit.newDataKey(purpose) })),
  );
}

/** A key of every purpose, made by the vault. */
export async function firstKeys(transit: Transit): Promise<WrappedKey[]> {
  const activeFrom = new Date();
  return Promise.all(
    KEY_PURPOSES.map(async (purpose) => ({
      id: purpose === 'look_up' ? LOOK_UP_KEY_ID : 'v1',
      purpose,
      wrapped: await transit.newDataKey(purpose),
      activeFrom,
    })),
  );
}

/** The keys of an environment or a file: whole, as the keys of all purposes are made from them. */
export interface HeldKeys {
  readonly whole: readonly { readonly id: string; readonly key: Buffer }[];
  readonly hashKey: Buffer;
}

/** The environment's keys, with their ids. The first one stays the current key. */
export async function heldFirstKeys(transit: Transit, { whole, hashKey }: HeldKeys): Promise<WrappedKey[]> {
  const nowMs = Date.now();
  const sealing = whole.flatMap(({ id, key }, index) =>
    SEALING_PURPOSES.map(async (purpose): Promise<WrappedKey> => ({
      id,
      purpose,
      wrapped: await transit.wrap(purpose, keyOfPurpose(key, purpose)),
      activeFrom: new Date(nowMs - index * 1_000),
    })),
  );
  const lookUp = async (): Promise<WrappedKey> => ({
    id: LOOK_UP_KEY_ID,
    purpose: 'look_up',
    wrapped: await transit.wrap('look_up', hashKey),
    activeFrom: new Date(nowMs),
  });
  return Promise.all([...sealing, lookUp()]);
}

/** The same keys under the newest versions of their master keys. */
export async function rewrappedKeys(transit: Transit, keys: readonly WrappedKey[]): Promise<WrappedKey[]> {
  const ofPurposes = KEY_PURPOSES.map(async (purpose) => {
    const own = keys.filter((key) => key.purpose === purpose);
    if (own.length === 0) return [];
    const fresh = await transit.rewrap(
      purpose,
      own.map(({ wrapped }) => wrapped),
    );
    return own.map((key, index) => ({ ...key, wrapped: fresh[index]! }));
  });
  return (await Promise.all(ofPurposes)).flat();
}
