// Raises the alerts that only a process can: about what lasts, or stays unanswered. Steps raise the others.
import type { AskedPayment } from '../../contract/temporal/payment-steps.js';
import type { ProcessCondition } from '../../domain/payments/process-alerts.js';
import { step } from './step.js';

/** Raises a standing condition's alert: at most one open alert of a kind per payment. */
export async function raiseAlert(
  { id, operationId }: AskedPayment,
  condition: ProcessCondition,
  code: string | null,
): Promise<void> {
  await step.raiseAlert({ id, operationId, condition, code });
}
