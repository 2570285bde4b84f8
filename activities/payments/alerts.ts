// Alerts that steps raise about their payment.
import type { PaymentRef } from '../../contract/temporal/payment-steps.js';
import { alertOf } from '../../domain/alert-records.js';
import type { AlertNote } from '../../domain/alerts.js';
import type { GatewayAlert } from '../../store/alerts/alerts.js';
import type { MovementTakenError } from '../../store/ledger/bank-movements.js';

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
