// Raises the alerts that only a process can: about what lasts, or stays unanswered. Steps raise the others.
import type { PaymentRef } from '../../contract/temporal/payment-steps.js';
import type { AlertKind } from '../../domain/alerts.js';
import { store } from './activity-proxies.js';

/** Raises a standing condition's alert: at most one open alert of a kind per payment. */
export async function raiseAlert(
  { id: objectId, operationId, at }: PaymentRef,
  kind: AlertKind,
  detail: string,
): Promise<void> {
  await store.raiseAlert({ kind, detail: `${objectId}: ${detail}`, occasion: null, operationId, objectId, at });
}
