// Operations as support staff see them: everything but the secrets.
import type { Database } from '../../store/database.js';

/** Newest first, each with the keys that work now. */
export async function readOperations(database: Database, limit: number) {
  const operations = await database.operation.findMany({ orderBy: { createdAt: 'desc' }, take: limit });
  const keys = await database.apiKey.findMany({
    where: {
      operationId: { in: operations.map(({ id }) => id) },
      revokedAt: null,
      OR: [{ expiresAt: null }, { expiresAt: { gt: new Date() } }],
    },
    select: { keyId: true, operationId: true, scopes: true, createdAt: true, expiresAt: true },
    orderBy: { createdAt: 'asc' },
  });
  return operations.map((operation) => ({
    operation_id: operation.id,
    name: operation.name,
    environment: operation.environment,
    provider: operation.provider,
    status: operation.status,
    webhook_url: operation.webhookUrl,
    created_at: operation.createdAt,
    active_keys: keys
      .filter(({ operationId }) => operationId === operation.id)
      .map(({ keyId, scopes, createdAt, expiresAt }) => ({
        key_id: keyId,
        scopes,
        created_at: createdAt,
        expires_at: expiresAt,
      })),
  }));
}
