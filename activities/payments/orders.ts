// Only what the gateway's api ordered becomes a payment: a workflow that anyone else starts in Temporal stores nothing,
// and an alert reports the attempt. A refused order is stored before its caller learns of it, so that no copy of it
// becomes a payment later: not with other facts, and not by somebody who finds it in Temporal and starts it again.
import { ApplicationFailure, asyncLocalStorage } from '@temporalio/activity';
import type { PaymentOrder } from '../../contract/temporal/payment.js';
import {
  COPIED_ORDER,
  EXPIRED_ORDER,
  type PaymentRef,
  UNPROVEN_ORDER,
  type VouchedRefusal,
} from '../../contract/temporal/payment-steps.js';
import { alertOf } from '../../domain/alert-records.js';
import { isIdOfOurs } from '../../domain/identifiers.js';
import type { GatewayAlert } from '../../store/alerts/alerts.js';
import { MissingRowError } from '../../store/errors.js';
import type { OrderRefusal, RefusedOrder } from '../../store/payments/insertion.js';
import type { DecisionRecord } from '../../store/rules/decisions.js';
import { checkOrder, type OrderKind } from '../../store/sealing/orders.js';
import type { Sealer } from '../../store/sealing/sealer.js';
import { type PaymentKind, vouchForRefusal } from '../../store/sealing/proofs.js';
import type { AlertStore } from '../alerts.js';

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

export interface RefusalStore extends AlertStore {
  /** Refuses the order for good, unless its payment exists. */
  refuse(refusal: OrderRefusal): Promise<RefusedOrder>;
  /** Stores a decision that creates no payment. */
  storeDecision(decision: DecisionRecord): Promise<void>;
}

interface Refusing {
  readonly store: RefusalStore;
  readonly sealer: Sealer;
  readonly kind: PaymentKind;
  readonly order: { readonly id: string; readonly operationId: string; readonly proof: string };
}

/**
 * Answers the refusal; `null` if an earlier attempt created the payment. Without a `code` the order was refused before.
 * A stored refusal stays as it is: `record`, the decision behind the code, is stored only with its own.
 */
export async function refuseOrder<Code extends string>(
  { store, sealer, kind, order: { id, operationId, proof: orderProof } }: Refusing,
  code: Code | null,
  record: DecisionRecord | null = null,
): Promise<VouchedRefusal<Code> | null> {
  const refused = await store.refuse({ id, operationId, code, orderProof, runId: runId() });
  if (refused.kind === 'payment_exists') return null;
  if (refused.kind === 'copied') {
    await raiseIntrusion(store, { operation: operationId, object: id }, (about) =>
      alertOf('UNPROVEN_ORDER', 'copied', { ordered: kind, ...about }),
    );
    throw ApplicationFailure.nonRetryable('the order was refused in another run', COPIED_ORDER);
  }
  if (record !== null && refused.code === code) await store.storeDecision(record);
  const stored = refused.code as Code;
  return { kind: 'refused', code: stored, proof: vouchForRefusal(sealer, kind, { id, operationId }, stored) };
}

/** The run whose step this is, as Temporal's server knows it: no input can say another. */
function runId(): string {
  return asyncLocalStorage.getStore()?.info.workflowExecution?.runId ?? '';
}
