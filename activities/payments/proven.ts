// Only what the gateway's api ordered becomes a payment: a workflow that anyone else starts in Temporal stores nothing,
// and an alert reports the attempt.
import { ApplicationFailure } from '@temporalio/activity';
import type { PaymentOrder } from '../../contract/temporal/payment.js';
import { EXPIRED_ORDER, type PaymentRef, UNPROVEN_ORDER } from '../../contract/temporal/payment-steps.js';
import { alertOf } from '../../domain/alert-records.js';
import { isIdOfOurs } from '../../domain/identifiers.js';
import type { GatewayAlert } from '../../store/alerts/alerts.js';
import { MissingRowError } from '../../store/errors.js';
import { checkOrder, type OrderKind } from '../../store/sealing/orders.js';
import type { Sealer } from '../../store/sealing/sealer.js';
import type { AlertStore } from './alerts.js';

/** Fails without retries, and stores only the alert, unless the gateway's api has made this order. */
export async function assertProven(
  alerts: AlertStore,
  sealer: Sealer,
  kind: OrderKind,
  order: PaymentOrder,
): Promise<void> {
  const check = checkOrder(sealer, kind, order, Date.now());
  if (check === 'proven') return;
  if (check === 'expired')
    throw ApplicationFailure.nonRetryable('the order is too old: its caller makes a new one', EXPIRED_ORDER);
  const named = order as Partial<PaymentOrder> | undefined;
  await raiseIntrusion(alerts, { operation: named?.operationId, object: named?.id }, (about) =>
    alertOf('UNPROVEN_ORDER', 'ordered', { ordered: kind, ...about }),
  );
  throw ApplicationFailure.nonRetryable('the order was not made by the gateway', UNPROVEN_ORDER);
}

/**
 * Loads a payment. The gateway starts workflows only for payments that have a row, so a workflow for a payment that
 * does not exist was started by someone else. Version 0 looks for the row of a creation, which may not exist.
 */
export async function noticingInvented<Read>(
  alerts: AlertStore,
  { id, operationId, seenVersion }: PaymentRef,
  read: () => Promise<Read>,
): Promise<Read> {
  try {
    return await read();
  } catch (error) {
    if (seenVersion !== 0 && error instanceof MissingRowError) {
      await raiseIntrusion(alerts, { operation: operationId, object: id }, (about) =>
        alertOf('UNPROVEN_ORDER', 'invented', about),
      );
    }
    throw error;
  }
}

/** What the alert of an intrusion names. */
interface Named {
  readonly payment: string;
  readonly operation: string;
}

/** Raises one alert per operation, however often it is tried. The alert names the input only if it is an id. */
export async function raiseIntrusion(
  alerts: AlertStore,
  { operation, object }: { readonly operation: unknown; readonly object: unknown },
  say: (about: Named) => Pick<GatewayAlert, 'kind' | 'detail'>,
): Promise<void> {
  const [operationId, id] = [operation, object].map((text) =>
    typeof text === 'string' && isIdOfOurs(text) ? text : 'no known id',
  ) as [string, string];
  await alerts.raiseAlert({
    ...say({ payment: id, operation: operationId }),
    occasion: null,
    // The operation may be invented too, so the alert names it in its text and does not reference it.
    operationId: null,
    objectId: operationId,
    at: new Date().toISOString(),
  });
}
