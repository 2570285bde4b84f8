// The keys of sealing: their purposes, who holds which, the source that a process has them from, and what is derived
// from them. Every purpose has its own keys, so that a process holds only those that its work needs: a compromised
// webhooks worker cannot open a request, and a compromised ingress cannot open an API key's secret.
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

/**
 * The source of keys: the environment, a file, or a vault. Throws KeysUnavailableError if it has none, KeyNotHeldError
 * for a purpose that is not this process's.
 */
export interface KeyProvider {
  /** The id of the keys that seal now, whatever the purpose. */
  currentId(): string;
  /** The key that new values of a purpose are sealed with. */
  current(purpose: SealingPurpose): { id: string; key: Buffer };
  /** The key of an earlier id; undefined if it is unknown. */
  byId(purpose: SealingPurpose, id: string): Buffer | undefined;
  /** The key of the look-up hashes. It never rotates: equal values must have equal hashes for ever. */
  hashKey(): Buffer;
}

/** The process has no keys of this purpose, because its work needs none (PURPOSES_OF). */
export class KeyNotHeldError extends Error {
  override readonly name = 'KeyNotHeldError';
  constructor(purpose: KeyPurpose) {
    super(`this process holds no keys for ${purpose}`);
  }
}

/** The vault does not answer, and its last answer is too old: nothing is sealed or opened until it does. */
export class KeysUnavailableError extends Error {
  override readonly name = 'KeysUnavailableError';
}

/**
 * A key provider over keys held in memory. Of each purpose the first key seals; the hash key is absent where unused.
 */
export function keysInMemory(held: readonly HeldKey[], hashKey: Buffer | null): KeyProvider {
  const [first] = held;
  if (first === undefined) throw new RangeError('at least one sealing key is needed');
  const keys = new Map(SEALING_PURPOSES.map((purpose) => [purpose, keysOf(held, purpose)]));
  const keysFor = (purpose: SealingPurpose) => {
    const found = keys.get(purpose)!;
    if (found.length === 0) throw new KeyNotHeldError(purpose);
    return found;
  };
  return {
    currentId: () => first.id,
    current: (purpose) => keysFor(purpose)[0]!,
    byId: (purpose, id) => keysFor(purpose).find((one) => one.id === id)?.key,
    hashKey() {
      if (hashKey === null) throw new KeyNotHeldError('look_up');
      return hashKey;
    },
  };
}

function keysOf(held: readonly HeldKey[], purpose: SealingPurpose): { id: string; key: Buffer }[] {
  return held
    .filter((one) => one.purpose === undefined || one.purpose === purpose)
    .map(({ id, purpose: made, key }) => ({ id, key: made === undefined ? keyOfPurpose(key, purpose) : key }));
}

const KEY_BYTES = 32;
/** Kept per key. Far more than there are operations: whoever invents operations must not fill the memory. */
export const MOST_DERIVED = 10_000;

export type KeyUse = 'seal' | 'look-up' | 'prove';

/**
 * By the key that they come from, then by use and operation. Kept as long as that key: deriving them anew for each
 * value was 7 % of the main thread of a busy worker.
 */
const derived = new WeakMap<Buffer, Map<string, Buffer>>();

/**
 * The key of one use in one operation: HKDF-SHA-256 of the key of a purpose, with the use and the operation as info;
 * `null`: a value without an operation.
 */
export function derivedKey(key: Buffer, use: KeyUse, operationId: string | null): Buffer {
  let ofKey = derived.get(key);
  if (ofKey === undefined) derived.set(key, (ofKey = new Map()));
  const info = infoOf(use, operationId);
  const kept = ofKey.get(info);
  if (kept !== undefined) return kept;
  if (ofKey.size >= MOST_DERIVED) ofKey.clear();
  const made = Buffer.from(hkdfSync('sha256', key, '', info, KEY_BYTES));
  ofKey.set(info, made);
  return made;
}

/** Overwrites a key and everything that was derived from it: a vault that is locked locks both. */
export function wipe(key: Buffer): void {
  for (const one of derived.get(key)?.values() ?? []) one.fill(0);
  derived.delete(key);
  key.fill(0);
}

function infoOf(use: KeyUse, operationId: string | null): string {
  const scope = operationId === null ? ['no operation'] : ['operation', operationId];
  return JSON.stringify(['gateway', use, ...scope]);
}
