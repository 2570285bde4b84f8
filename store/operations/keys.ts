// API keys as staff see them, without secrets; their revocation; and a single key with its sealed secret, for
// authentication.
import { ageInDays, keyRotationOf } from '../../domain/rotation.js';
import type { ApiKey } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';
import type { Transaction } from '../transactions.js';

/** Keys that are valid at `now`, oldest first; with `all` every key. */
export async function readKeys(
  database: Database,
  { operationId, all, limit, now }: { operationId: string | null; all: boolean; limit: number; now: Date },
) {
  const works = { revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] };
  const keys = await database.apiKey.findMany({
    where: { ...(operationId === null ? {} : { operationId }), ...(all ? {} : works) },
    orderBy: [{ createdAt: 'asc' }, { keyId: 'asc' }],
    take: limit,
    omit: { secretSealed: true },
  });
  return keys.map((key) => presentKey(key, now));
}

/** The newest keys of an operation, ended ones too. */
export function newestKeys(database: Database, operationId: string, take: number): Promise<PublicKey[]> {
  return database.apiKey.findMany({
    where: { operationId },
    orderBy: { createdAt: 'desc' },
    take,
    omit: { secretSealed: true },
  });
}

/** The row of a key; `null` if there is none. */
export function keyById(database: Pick<Database, 'apiKey'>, keyId: string): Promise<PublicKey | null> {
  return database.apiKey.findUnique({ where: { keyId }, omit: { secretSealed: true } });
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

/** A key without its secret. */
type PublicKey = Omit<ApiKey, 'secretSealed'>;

export function presentKey(key: PublicKey, now: Date) {
  const hasEnded = key.revokedAt !== null || (key.expiresAt !== null && key.expiresAt <= now);
  return {
    key_id: key.keyId,
    operation_id: key.operationId,
    scopes: key.scopes,
    created_at: key.createdAt,
    age_days: ageInDays(key.createdAt, now),
    rotation: hasEnded ? 'ended' : keyRotationOf(key, now),
    first_used_at: key.firstUsedAt,
    expires_at: key.expiresAt,
    revoked_at: key.revokedAt,
  };
}
