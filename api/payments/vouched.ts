// What the api believes of an answer through Temporal: what a worker vouches for. Anything else is counted, because no
// honest process answers it while the keys are at hand, and the database answers.
import type { DepositOrder, WithdrawalOrder } from '../../contract/temporal/payment.js';
import type { CreationAttempt, Reply } from '../../platform/temporal/calls.js';
import { count } from '../../platform/telemetry/instruments.js';
import { orderAnew } from '../../store/sealing/orders.js';
import type { Sealer } from '../../store/sealing/sealer.js';
import {
  type AnsweredPayment,
  type PaymentKind,
  vouchedCreation,
  type VouchedCreation,
  vouchedSnapshot,
  type SnapshotOf,
} from '../../store/sealing/proofs.js';

/**
 * The snapshot in the answer to a query, if it is newer than the row and may be believed. Only a newer one would be
 * served, so only that is verified.
 */
export function newerSnapshot<Kind extends PaymentKind>(
  sealer: Sealer,
  kind: Kind,
  stored: SnapshotOf<Kind>,
  answer: unknown,
): SnapshotOf<Kind> | null {
  const { snapshot } = (answer ?? {}) as { readonly snapshot?: { readonly version?: unknown } };
  const version = snapshot?.version;
  if (typeof version !== 'number' || version <= stored.version) return null;
  const held = vouchedSnapshot(sealer, kind, stored, answer);
  if (held === null) count('gateway_unvouched_answers_total', { kind, question: 'state' });
  return held;
}

/**
 * The order for each run that a creation may start. The second one has another proof: where the first run refused the
 * order and its answer was lost, the same proof would be taken for a copy.
 */
export function ordersOfRuns<Order extends DepositOrder | WithdrawalOrder>(
  sealer: Sealer,
  kind: PaymentKind,
  order: Order,
): () => Order {
  let given: Order | null = null;
  return () => (given = given === null ? order : orderAnew(sealer, kind, given));
}

/** An answer that comes sooner may be that of an earlier run, which Temporal repeats. */
const EARLIER_ANSWER_MS = 3_000;

/**
 * The outcome of a creation; `null` if the database has to answer. Temporal repeats its first answer to an update for
 * ever, also after the run that gave it: if nobody vouches for it, the workflow is asked once more, by another update.
 */
export async function believedCreation<Kind extends PaymentKind>(
  sealer: Sealer,
  kind: Kind,
  payment: AnsweredPayment,
  create: (attempt: CreationAttempt) => Promise<Reply<unknown>>,
): Promise<Exclude<VouchedCreation<Kind>, { readonly kind: 'unvouched' | 'duplicate' }> | null> {
  const startedMs = performance.now();
  for (const attempt of ['first', 'anew'] as const) {
    const reply = await create(attempt);
    if (reply.kind !== 'answer') return null;
    const creation = vouchedCreation(sealer, kind, payment, reply.value);
    if (creation.kind === 'duplicate') return null;
    if (creation.kind !== 'unvouched') return creation;
    count('gateway_unvouched_answers_total', { kind, question: 'creation' });
    if (performance.now() - startedMs > EARLIER_ANSWER_MS) return null;
  }
  return null;
}
