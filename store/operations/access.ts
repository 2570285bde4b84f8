// An operation's access: its keys and its networks. The operation's row is the lock of both, taken by SQL because model
// calls cannot lock. Used inside the transactions of onboarding, access changes and approvals.
import type { Scope } from '../../contract/http/route.js';
import type { Operation } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';
import { placeOf } from '../sealing/places.js';
import type { Sealer } from '../sealing/sealer.js';
import { operationTime } from './clock.js';
import type { Transaction } from '../transactions.js';
import { type Environment, newKeyId, newKeySecret } from './key-material.js';

/** Active keys of the same scopes: one, and its successor during a rotation (specification, "Secret rotation"). */
export const ACTIVE_KEYS_PER_SCOPES = 2;

export type TooManyKeys = { readonly kind: 'too_many_keys'; readonly activeKeyIds: readonly string[] };

export interface GrantedKey {
  readonly keyId: string;
  /** Shown once. */
  readonly secret: string;
  readonly scopes: readonly Scope[];
}

/**
 * Locks the operation until the transaction ends, so that changes of its keys and networks are made one after another.
 */
export async function lockOperation(
  transaction: Transaction,
  operationId: string,
): Promise<Pick<Operation, 'id' | 'environment'> | null> {
  const rows = await transaction.$queryRaw<Pick<Operation, 'id' | 'environment'>[]>`
    SELECT id, environment FROM operation WHERE id = ${operationId} FOR NO KEY UPDATE`;
  return rows[0] ?? null;
}

/**
 * Ids of the operation's active keys, by its clock, with exactly these scopes, oldest first. The caller holds the
 * operation's lock.
 */
export async function activeKeysOf(
  transaction: Transaction,
  operationId: string,
  scopes: readonly Scope[],
): Promise<string[]> {
  const keys = await transaction.apiKey.findMany({
    where: {
      operationId,
      revokedAt: null,
      OR: [{ expiresAt: null }, { expiresAt: { gt: await operationTime(transaction, operationId) } }],
    },
    orderBy: { createdAt: 'asc' },
    select: { keyId: true, scopes: true },
  });
  return keys.filter((key) => isSameSet(key.scopes, scopes)).map((key) => key.keyId);
}

function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((scope) => other.includes(scope));
}

/** Stores a new key and returns its secret, this once. */
export async function insertKey(
  transaction: Transaction,
  sealer: Sealer,
  operation: Pick<Operation, 'id' | 'environment'>,
  scopes: readonly Scope[],
): Promise<GrantedKey> {
  const environment = operation.environment as Environment;
  const [keyId, secret] = [newKeyId(environment), newKeySecret()];
  const place = placeOf('api_key.secret_sealed', operation.id, { key_id: keyId });
  // Uses createMany, which reads nothing back, so that a process can create keys without the right to read them.
  await transaction.apiKey.createMany({
    data: {
      keyId,
      operationId: operation.id,
      environment,
      secretSealed: sealer.sealBytes(place, Buffer.from(secret, 'utf8')),
      scopes: [...scopes],
    },
  });
  return { keyId, secret, scopes };
}

/** Replaces the networks in force. The caller holds the operation's lock. */
export async function replaceNetworks(
  transaction: Transaction,
  operationId: string,
  networks: readonly string[],
): Promise<void> {
  await transaction.allowedNetwork.deleteMany({ where: { operationId } });
  await transaction.allowedNetwork.createMany({ data: networks.map((cidr) => ({ operationId, cidr })) });
}

/** The networks in force. */
export async function networksOf(
  transaction: Pick<Database, 'allowedNetwork'>,
  operationId: string,
): Promise<string[]> {
  const rows = await transaction.allowedNetwork.findMany({ where: { operationId }, orderBy: { cidr: 'asc' } });
  return rows.map(({ cidr }) => cidr);
}
