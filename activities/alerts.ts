// Raises alerts: a row, and a line in the log.
import type { Logger } from 'pino';
import type { ProcessAlertOrder } from '../contract/temporal/payment-steps.js';
import { isProcessCondition, PROCESS_ALERTS, processAlert } from '../domain/payments/outside-waits.js';
import { type GatewayAlert, insertAlert } from '../store/alerts/alerts.js';
import type { Database } from '../store/database.js';
import { MissingRowError } from '../store/errors.js';
import { statusOfPayment } from '../store/payments/payment-ids.js';
import { forged } from './forged.js';

/** Raises an alert unless one of its kind is open for the object, or its occasion had one. */
export async function raiseAlert(database: Database, logger: Logger, alert: GatewayAlert): Promise<void> {
  const { kind, detail, operationId, objectId } = alert;
  if (await insertAlert(database, alert)) logger.warn({ alert: kind, objectId, operationId }, detail);
}

/** Raises the alert of a condition, if the payment is still in a state in which the condition can hold. */
export async function raiseProcessAlert(
  database: Database,
  logger: Logger,
  { id, operationId, condition, code, at }: ProcessAlertOrder & { readonly at: string },
): Promise<void> {
  if (!isProcessCondition(condition)) throw forged('with a condition that is none of ours');
  const { of, while: status } = PROCESS_ALERTS[condition];
  const stored = await statusOfPayment(database, { kind: of, id, operationId });
  if (stored === null)
    throw new MissingRowError(of === 'deposit' ? 'Deposit' : 'Withdrawal', `${of} ${id} does not exist`);
  if (stored !== status) return;
  await raiseAlert(database, logger, { ...processAlert(condition, id, code), operationId, objectId: id, at });
}
