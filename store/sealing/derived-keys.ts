// The keys of one use in one operation, derived from the key of a purpose. They are kept as long as that key: deriving
// them anew for each value was 7 % of the main thread of a busy worker.
import { hkdfSync } from 'node:crypto';

const KEY_BYTES = 32;
/** Kept per key. Far more than there are operations: whoever invents operations must not fill the memory. */
export const MOST_DERIVED = 10_000;

export type KeyUse = 'seal' | 'look-up' | 'prove';

/** By the key that they come from, then by use and operation. */
const derived = new WeakMap<Buffer, Map<string, Buffer>>();

/** HKDF-SHA-256 of the key, with the use and the operation as info; `null`: a value without an operation. */
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
