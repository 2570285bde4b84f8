// An operation's own row: its name and environment, its status, and where its webhooks go.
import type { Operation } from '../../prisma/generated/client.js';
import { appendAudit } from '../audit/audit.js';
import type { Database } from '../database.js';
import { inTransaction } from '../transactions.js';
import type { Environment } from './key-material.js';

/** The operation with this id. Throws if there is none. */
export async function operationOf(
  database: Database,
  id: string,
): Promise<Pick<Operation, 'name'> & { readonly environment: Environment }> {
  const { name, environment } = await database.operation.findUniqueOrThrow({ where: { id } });
  return { name, environment: environment as Environment };
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
