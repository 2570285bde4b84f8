// Loads a payment for a new run of its process.
import type { AskedPayment, Loaded, PaymentRef } from '../../contract/temporal/payment-steps.js';
import type { PaymentOrder } from '../../contract/temporal/payment.js';
import type { OperationClock } from '../../domain/operation-clock.js';
import type { AlertStore } from './alerts.js';
import { noticingInvented } from './proven.js';

interface Row {
  readonly order: Pick<PaymentOrder, 'operationName' | 'provider' | 'amountMinor'>;
  readonly clock?: OperationClock | null;
}

/** The row, and what its process shows and passes on. */
export async function load<Found extends Row>(
  payments: AlertStore & { read(payment: AskedPayment): Promise<Found> },
  ref: PaymentRef,
  operatorReasonsOf: (row: Found) => number = () => 0,
): Promise<{ readonly row: Found; readonly loaded: Loaded }> {
  const row = await noticingInvented(payments, ref, () => payments.read(ref));
  const { id, operationId } = ref;
  const { operationName, provider, amountMinor } = row.order;
  const context = { id, operationId, operationName, provider, amountMinor, operatorReasons: operatorReasonsOf(row) };
  return { row, loaded: { context, ...(row.clock == null ? {} : { clock: row.clock }) } };
}
