// The purposes of keys. Every purpose has its own keys, so that a process holds only those that its work needs. A
// compromised webhooks worker cannot open a request, and a compromised ingress cannot open an API key's secret.
import { hkdfSync } from 'node:crypto';

/** What is sealed or proven. `orders` are proofs of new payments. places.ts lists the columns of each. */
export const SEALING_PURPOSES = [
  'payments',
  'orders',
  'responses',
  'events',
  'lists',
  'api_keys',
  'webhook_secrets',
  'callbacks',
] as const;
export type SealingPurpose = (typeof SEALING_PURPOSES)[number];

/** `look_up`: the hashes beside sealed values. */
export const KEY_PURPOSES = [...SEALING_PURPOSES, 'look_up'] as const;
export type KeyPurpose = (typeof KEY_PURPOSES)[number];

/**
 * The keys that each kind of process holds. A worker holds those of all its queues; workers of the payments and of the
 * providers serve the rules too, whose steps insert payments.
 */
export const PURPOSES_OF = {
  api: ['payments', 'orders', 'responses', 'events', 'api_keys', 'webhook_secrets'],
  ingress: ['callbacks'],
  panel: ['payments', 'responses', 'events', 'lists', 'api_keys', 'webhook_secrets', 'look_up'],
  'worker-payments': ['payments', 'orders', 'events', 'look_up'],
  'worker-providers': ['payments', 'orders', 'events', 'look_up'],
  'worker-rules': ['payments', 'orders', 'events', 'look_up'],
  'worker-webhooks': ['events', 'webhook_secrets'],
} as const satisfies Readonly<Record<string, readonly KeyPurpose[]>>;
export type KeyHolder = keyof typeof PURPOSES_OF;

/** The keys of a worker that serves these task queues; `provider-a` and the like are one kind. */
export function purposesOfQueues(queues: readonly string[]): KeyPurpose[] {
  const holders = queues.map((queue): KeyHolder => `worker-${kindOf(queue)}`);
  return KEY_PURPOSES.filter((purpose) =>
    holders.some((holder) => (PURPOSES_OF[holder] as readonly KeyPurpose[]).includes(purpose)),
  );
}

type QueueKind = 'payments' | 'providers' | 'rules' | 'webhooks';

function kindOf(queue: string): QueueKind {
  return queue === 'payments' || queue === 'rules' || queue === 'webhooks' ? queue : 'providers';
}

/** The key of one purpose, from a key that makes all of them (HKDF-SHA-256). */
export function keyOfPurpose(whole: Buffer, purpose: SealingPurpose): Buffer {
  return Buffer.from(hkdfSync('sha256', whole, '', JSON.stringify(['gateway', 'purpose', purpose]), whole.length));
}

/** A key that a process was given: of one purpose, or whole (no purpose), which makes those of all purposes. */
export interface HeldKey {
  readonly id: string;
  readonly purpose?: SealingPurpose | undefined;
  readonly key: Buffer;
}

/**
 * The keys of these purposes as variables: `GATEWAY_SEALING_KEYS`, and `GATEWAY_HASH_KEY` where something is looked up.
 * @param whole the first one is current
 * @param mark the prefix of each key
 */
export function keyVariables(
  purposes: readonly KeyPurpose[],
  whole: readonly HeldKey[],
  hashKey: Buffer,
  mark = '',
): Readonly<Record<string, string>> {
  const keys = whole.flatMap(({ id, key }) =>
    SEALING_PURPOSES.filter((purpose) => purposes.includes(purpose)).map(
      (purpose) => `${mark}${id}.${purpose}:${keyOfPurpose(key, purpose).toString('base64')}`,
    ),
  );
  const hash: Record<string, string> = purposes.includes('look_up')
    ? { GATEWAY_HASH_KEY: `${mark}${hashKey.toString('base64')}` }
    : {};
  return { GATEWAY_SEALING_KEYS: keys.join(','), ...hash };
}
