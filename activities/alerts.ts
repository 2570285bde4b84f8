// Raises alerts: a row, and a line in the log.
import type { Logger } from 'pino';
import { type GatewayAlert, insertAlert } from '../store/alerts/alerts.js';
import type { Database } from '../store/database.js';

/** Raises an alert unless one of its kind is open for the object, or its occasion had one. */
export async function raiseAlert(database: Database, logger: Logger, alert: GatewayAlert): Promise<void> {
  const { kind, detail, operationId, objectId } = alert;
  if (await insertAlert(database, alert)) logger.warn({ alert: kind, objectId, operationId }, detail);
}
