// API keys as staff see them, without secrets; their revocation; and a single key with its sealed secret, for
// authentication.
import type { OperationClock } from '../../domain/operation-clock.js';
import { ageInDays, type KeyRotation, keyRotationOf } from '../../domain/rotation.js';
import type { Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';
import type { Transaction } from '../transactions.js';

/** A key without its secret, and its operation's clock. */
const PUBLIC = { omit: { secretSealed: true }, include: { operation: { select: { clock: true } } } } as const;
type PublicKey = Prisma.ApiKeyGetPayload<typeof PUBLIC>;

/** Keys that are valid at `now`, oldest first; with `all` every key. */
export async function readKeys(
  database: Database,
  { operationId, all, limit, now }: { operationId: string | null; all: boolean; limit: number; now: Date },
) {
  const keys = await database.apiKey.findMany({
    where: { ...(operationId === null ? {} : { operationId }), ...(all ? {} : { revokedAt: null }) },
    orderBy: [{ createdAt: 'asc' }, { keyId: 'asc' }],
    ...(all ? { take: limit } : {}),
    ...PUBLIC,
  });
  return keys
    .map((key) => presentKey(key, now))
    .filter(({ rotation }) => all || rotation !== 'ended')
    .slice(0, limit);
}

/** The newest keys of an operation, ended ones too. */
export function newestKeys(database: Database, operationId: string, take: number): Promise<PublicKey[]> {
  return database.apiKey.findMany({ where: { operationId }, orderBy: { createdAt: 'desc' }, take, ...PUBLIC });
}

/** The row of a key; `null` if there is none. */
export function keyById(database: Pick<Database, 'apiKey'>, keyId: string): Promise<PublicKey | null> {
  return database.apiKey.findUnique({ where: { keyId }, ...PUBLIC });
}

/** A key with its sealed secret; `null` if there is none. */
export function sealedKeyById(database: Database, keyId: string) {
  return database.apiKey.findUnique({
    where: { keyId },
    select: { keyId: true, operationId: true, secretSealed: true },
  });
}

/** Marks an existing key as revoked. A key that was revoked before keeps its time. */
export async function markKeyRevoked(
  transaction: Transaction,
  keyId: string,
): Promise<{ revokedAt: Date; isNew: boolean }> {
  const { count } = await transaction.apiKey.updateMany({
    where: { keyId, revokedAt: null },
    data: { revokedAt: new Date() },
  });
  const { revokedAt } = await transaction.apiKey.findUniqueOrThrow({ where: { keyId }, select: { revokedAt: true } });
  return { revokedAt: revokedAt as Date, isNew: count === 1 };
}

/** See {@link keyRotationOf}. */
export function rotationOf(key: PublicKey, now: Date): KeyRotation {
  return keyRotationOf(key, now, key.operation.clock as OperationClock | null);
}

export function presentKey(key: PublicKey, now: Date) {
  return {
    key_id: key.keyId,
    operation_id: key.operationId,
    scopes: key.scopes,
    created_at: key.createdAt,
    age_days: ageInDays(key.createdAt, now),
    rotation: rotationOf(key, now),
    first_used_at: key.firstUsedAt,
    expires_at: key.expiresAt,
    revoked_at: key.revokedAt,
  };
}
