// Alerts are rows: listed by `gateway alerts` and in the panel, one open alert of a kind per object, and one of an occasion ever.
import type { Logger } from 'pino';
import { Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';
import type { AlertNote } from '../../activities/types.js';

/**
 * A new alert's id is drawn by the database, so a workflow task that is repeated cannot bring the id of another one. A repeat is told by
 * what it is about: the open alerts of its kind, or its occasion.
 */
export const NEW_ALERT_ID = Prisma.sql`'alr_' || replace(gen_random_uuid()::text, '-', '')`;

/** Raises an alert unless one of its kind is open for the object, or its occasion had one; also a line in the log. */
export async function raiseAlert(
  database: Database,
  logger: Logger,
  alert: AlertNote & { operationId: string; objectId: string; at: string },
): Promise<void> {
  const { kind, detail, occasion, operationId, objectId, at } = alert;
  const raised = await database.$executeRaw`
    INSERT INTO alert (id, operation_id, kind, object_id, detail, occasion, created_at)
    VALUES (${NEW_ALERT_ID}, ${operationId}, ${kind}, ${objectId}, ${detail}, ${occasion ?? null}, ${at}::timestamptz)
    ON CONFLICT DO NOTHING`;
  if (raised > 0) logger.warn({ alert: kind, objectId, operationId }, detail);
}
