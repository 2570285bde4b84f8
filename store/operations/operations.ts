// Operations: the lists of staff (without secrets), look-ups by id, an operation's status and webhook URL.
import type { Operation } from '../../prisma/generated/client.js';
import { appendAudit } from '../audit/audit.js';
import type { Database } from '../database.js';
import { inTransaction } from '../transactions.js';

/** Newest first, each with the keys that are valid now. */
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

/** The row of an operation; null if there is none. */
export function operationById(database: Database, id: string): Promise<Operation | null> {
  return database.operation.findUnique({ where: { id } });
}

/** Whether the operation exists. */
export async function operationExists(database: Database, id: string): Promise<boolean> {
  return (await database.operation.count({ where: { id } })) > 0;
}

/** The names of operations by id. */
export async function operationNames(database: Database, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await database.operation.findMany({
    where: { id: { in: [...new Set(ids)] } },
    select: { id: true, name: true },
  });
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Suspends or resumes the operation; setting the same status again is allowed. False if there is no such operation. */
export async function setOperationStatus(
  database: Database,
  order: { operationId: string; status: 'active' | 'suspended'; person: string },
): Promise<boolean> {
  const { operationId, status, person } = order;
  return inTransaction(database, async (transaction) => {
    const { count } = await transaction.operation.updateMany({ where: { id: operationId }, data: { status } });
    if (count !== 1) return false;
    await appendAudit(transaction, {
      person,
      action: status === 'active' ? 'operation.resume' : 'operation.suspend',
      operationId,
      subject: operationId,
    });
    return true;
  });
}

/** Sets the operation's webhook URL, which the caller has checked. False if there is no such operation. */
export async function setWebhookUrl(
  database: Database,
  order: { operationId: string; webhookUrl: string; person: string },
): Promise<boolean> {
  const { operationId, webhookUrl, person } = order;
  return inTransaction(database, async (transaction) => {
    const { count } = await transaction.operation.updateMany({ where: { id: operationId }, data: { webhookUrl } });
    if (count !== 1) return false;
    await appendAudit(transaction, {
      person,
      action: 'webhook.set',
      operationId,
      subject: operationId,
      detail: { host: new URL(webhookUrl).host },
    });
    return true;
  });
}
