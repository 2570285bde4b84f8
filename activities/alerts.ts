// The alerts that activities raise: a row, and a line in the log.
import type { Logger } from 'pino';
import type { PaymentRef, ProcessAlertOrder } from '../contract/temporal/payment-steps.js';
import { alertOf } from '../domain/alert-records.js';
import type { AlertNote } from '../domain/alerts.js';
import { isProcessCondition, PROCESS_ALERTS, processAlert } from '../domain/payments/outside-waits.js';
import { type GatewayAlert, insertAlert } from '../store/alerts/alerts.js';
import type { Database } from '../store/database.js';
import type { MovementTakenError } from '../store/ledger/bank-movements.js';
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

export interface AlertStore {
  raiseAlert(alert: GatewayAlert): Promise<void>;
}

export function raiseAbout(
  alerts: AlertStore,
  { id: objectId, operationId, at }: PaymentRef,
  note: AlertNote,
): Promise<void> {
  return alerts.raiseAlert({ ...note, operationId, objectId, at });
}

/** A movement of the bank that another payment has: the alert names both, and it counts for the first only. */
export function claimedTwice(id: string, { bankId, by }: Pick<MovementTakenError, 'bankId' | 'by'>): AlertNote {
  return { ...alertOf('PAYMENT_CLAIMED_TWICE', 'claimed', { payment: id, bankId, other: by }), occasion: bankId };
}
