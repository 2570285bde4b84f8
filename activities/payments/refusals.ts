// A refused order is stored before its caller learns of it, so that no copy of it becomes a payment later: not with
// other facts, and not by somebody who finds it in Temporal and starts it again.
import { ApplicationFailure, asyncLocalStorage } from '@temporalio/activity';
import { COPIED_ORDER, type VouchedRefusal } from '../../contract/temporal/payment-steps.js';
import { alertOf } from '../../domain/alert-records.js';
import type { OrderRefusal, RefusedOrder } from '../../store/payments/insertion.js';
import type { DecisionRecord } from '../../store/rules/decisions.js';
import type { Sealer } from '../../store/sealing/sealer.js';
import { type PaymentKind, vouchForRefusal } from '../../store/sealing/proofs.js';
import type { AlertStore } from './alerts.js';
import { raiseIntrusion } from './proven.js';

export interface RefusalStore extends AlertStore {
  /** Refuses the order for good, unless its payment exists. */
  refuse(refusal: OrderRefusal): Promise<RefusedOrder>;
  /** Stores a decision that creates no payment. */
  storeDecision(decision: DecisionRecord): Promise<void>;
}

export interface Refusing {
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
