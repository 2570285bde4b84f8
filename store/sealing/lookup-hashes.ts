// Hashes for equality look-ups: each value in its normal form (domain/rules/lookup-values.ts), then keyed. Players,
// payments and lists all use these functions, or equal values would not match. Every keyed hash belongs to one
// operation, because no rule and no list compares values of two. Only a player's reference is hashed without a key, so
// its hash is the same in all operations.
import { createHash } from 'node:crypto';
import type { PixKeyType } from '../../domain/pix.js';
import {
  addressLookupValue,
  documentLookupValue,
  networksContaining,
  pixKeyLookupValue,
} from '../../domain/rules/lookup-values.js';
import type { Sealer } from './sealer.js';

type Hash = Uint8Array<ArrayBuffer>;

/** Of a tax document's number: `player.document_hash`, `deposit.payer_document_hash`, lists of kind `document`. */
export function documentHash(sealer: Sealer, operationId: string, number: string): Hash {
  return sealer.lookupHash(operationId, 'document', documentLookupValue(number));
}

/** Of a PIX key: `withdrawal.destination_hash`, lists of kind `pix_key`. */
export function pixKeyHash(sealer: Sealer, operationId: string, key: string, type?: PixKeyType): Hash {
  return sealer.lookupHash(operationId, 'pix_key', pixKeyLookupValue(key, type));
}

/** Of one IP address: `withdrawal.ip_hash`. `null` for text that is not an address. */
export function ipHash(sealer: Sealer, operationId: string, address: string): Hash | null {
  const spelling = addressLookupValue(address);
  return spelling === null ? null : sealer.lookupHash(operationId, 'ip', spelling);
}

/** Of every network that contains the address: containment becomes equality, so that lists of kind `ip` stay sealed. */
export function networkHashes(sealer: Sealer, operationId: string, address: string): Hash[] {
  return networksContaining(address).map((network) => sealer.lookupHash(operationId, 'ip', network));
}

/** Of a device id: `withdrawal.device_hash`, lists of kind `device`. */
export function deviceHash(sealer: Sealer, operationId: string, deviceId: string): Hash {
  return sealer.lookupHash(operationId, 'device', deviceId);
}

/**
 * Of a player's reference, for lists of kind `player`. References are opaque and stored in clear (never an e-mail
 * address, phone or tax number), so this hash has no key, and SQL can compute it from a payment's row:
 * `sha256(convert_to('player' || chr(10) || player_ref, 'UTF8'))`.
 */
export function playerHash(externalRef: string): Hash {
  return new Uint8Array(createHash('sha256').update(`player\n${externalRef}`, 'utf8').digest());
}
