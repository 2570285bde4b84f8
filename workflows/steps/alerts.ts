// Raises the alerts that only a process can: about what lasts, or stays unanswered. Steps raise the others.
import type { AskedPayment } from '../../contract/temporal/payment-steps.js';
import type { ProcessCondition } from '../../domain/payments/process-alerts.js';
import { store } from './activity-proxies.js';

/** Raises a standing condition's alert: at most one open alert of a kind per payment. */
export async function raiseAlert(
  { id, operationId }: AskedPayment,
  condition: ProcessCondition,
  code: string | null,
): Promise<void> {
  await store.raiseAlert({ id, operationId, condition, code });
}
