// The simulated Woovi's keys: each process and account has its own pair, so that a restart rotates it.
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { SimulatedAccount } from '../../../platform/config/simulator.js';

interface Pair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

const pairs = new WeakMap<SimulatedAccount, Pair>();

function pairOf(account: SimulatedAccount): Pair {
  const known = pairs.get(account);
  if (known) return known;
  const made = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  pairs.set(account, made);
  return made;
}

/** `x-webhook-signature`: base64 of RSA-SHA256 over the body. */
export function signatureOf(account: SimulatedAccount, body: string): string {
  return sign('sha256', Buffer.from(body), pairOf(account).privateKey).toString('base64');
}

/** `GET /webhook/public-keys`. */
export function publicKeysOf(account: SimulatedAccount): object {
  const { publicKey } = pairOf(account);
  const der = publicKey.export({ type: 'spki', format: 'der' });
  return {
    public_keys: [
      {
        key_identifier: createHash('sha256').update(der).digest('hex'),
        is_current: true,
        key: publicKey.export({ type: 'spki', format: 'pem' }),
      },
    ],
  };
}
