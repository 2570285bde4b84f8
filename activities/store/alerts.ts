// Alerts are rows: listed by `gateway alerts` and in the panel, one open alert of a kind per object.
import type { Logger } from 'pino';
import type { Database } from '../../store/client.js';
import type { AlertNote } from '../types.js';

/** Raises an alert unless one of its kind is open for the object; also a line in the log. */
export async function raiseAlert(database: Database, logger: Logger, alert: AlertNote & { operationId: string; objectId: string; at: string }): Promise<void> {
  const { id, kind, detail, operationId, objectId, at } = alert;
  const raised = await database.$executeRaw`
    INSERT INTO alert (id, operation_id, kind, object_id, detail, created_at)
    VALUES (${id}, ${operationId}, ${kind}, ${objectId}, ${detail}, ${at}::timestamptz)
    ON CONFLICT DO NOTHING`;
  if (raised > 0) logger.warn({ alert: kind, objectId, operationId }, detail);
}
