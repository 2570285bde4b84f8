// The primitives of an operation's access: its row as the lock, its keys, its networks. Used by onboarding and by approvals,
// inside their transactions.
import type { Scope } from '../../contract/http/route.js';
import type { Operation, Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';
import { type Environment, newKeyId, newKeySecret } from './key-material.js';
import type { Sealer } from '../sealing/sealer.js';

export type Transaction = Prisma.TransactionClient;

/** Bounds of one change: a busy database makes it wait a little, and never for ever. */
const TRANSACTION_LIMITS = { maxWait: 5_000, timeout: 15_000 } as const;

/** Runs `work` in one transaction: all of it is stored, or nothing. */
export async function inTransaction<Result>(
  database: Database,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  return database.$transaction(work, TRANSACTION_LIMITS);
}

/** Keys of the same scopes that may be active at once: one, and its successor during a rotation (specification, "Secret rotation"). */
export const ACTIVE_KEYS_PER_SCOPES = 2;

export type TooManyKeys = { readonly kind: 'too_many_keys'; readonly activeKeyIds: readonly string[] };

export interface GrantedKey {
  readonly keyId: string;
  /** Shown once. */
  readonly secret: string;
  readonly scopes: readonly Scope[];
}

/** The operation, locked until the transaction ends: two people changing its keys or networks wait for one another. */
export async function lockOperation(
  transaction: Transaction,
  operationId: string,
): Promise<Pick<Operation, 'id' | 'environment'> | null> {
  const rows = await transaction.$queryRaw<Pick<Operation, 'id' | 'environment'>[]>`
    SELECT id, environment FROM operation WHERE id = ${operationId} FOR NO KEY UPDATE`;
  return rows[0] ?? null;
}

/** Ids of the operation's active keys with exactly these scopes, oldest first. The operation is locked by the caller. */
export async function activeKeysOf(
  transaction: Transaction,
  operationId: string,
  scopes: readonly Scope[],
): Promise<string[]> {
  const keys = await transaction.apiKey.findMany({
    where: { operationId, revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: new Date() } }] },
    orderBy: { createdAt: 'asc' },
  });
  return keys.filter((key) => isSameSet(key.scopes, scopes)).map((key) => key.keyId);
}

function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((scope) => other.includes(scope));
}

/** Stores a new key and returns its secret for the one time. */
export async function insertKey(
  transaction: Transaction,
  sealer: Sealer,
  operation: Pick<Operation, 'id' | 'environment'>,
  scopes: readonly Scope[],
): Promise<GrantedKey> {
  const environment = operation.environment as Environment;
  const [keyId, secret] = [newKeyId(environment), newKeySecret()];
  await transaction.apiKey.create({
    data: {
      keyId,
      operationId: operation.id,
      environment,
      secretSealed: sealer.sealBytes(Buffer.from(secret, 'utf8')),
      scopes: [...scopes],
    },
  });
  return { keyId, secret, scopes };
}

/** Replaces the networks in force. The operation is locked by the caller. */
export async function replaceNetworks(
  transaction: Transaction,
  operationId: string,
  networks: readonly string[],
): Promise<void> {
  await transaction.allowedNetwork.deleteMany({ where: { operationId } });
  await transaction.allowedNetwork.createMany({ data: networks.map((cidr) => ({ operationId, cidr })) });
}

/** The networks in force. */
export async function networksOf(transaction: Transaction, operationId: string): Promise<string[]> {
  const rows = await transaction.allowedNetwork.findMany({ where: { operationId }, orderBy: { cidr: 'asc' } });
  return rows.map(({ cidr }) => cidr);
}
