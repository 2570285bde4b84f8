// Keys of a stack that the benchmark knows, so that it can write and read sealed values itself.
import { randomBytes } from 'node:crypto';
import { Sealer } from '../../store/sealing/sealer.js';
import { keysInMemory } from '../../store/sealing/keys.js';

export interface StackKeys {
  /** For every process of the stack. */
  readonly variables: Readonly<Record<string, string>>;
  readonly sealer: Sealer;
}

export function newStackKeys(): StackKeys {
  const [sealing, hash] = [randomBytes(32), randomBytes(32)];
  return {
    variables: { GATEWAY_SEALING_KEYS: `k1:${sealing.toString('base64')}`, GATEWAY_HASH_KEY: hash.toString('base64') },
    sealer: new Sealer(keysInMemory([{ id: 'k1', key: sealing }], hash)),
  };
}
