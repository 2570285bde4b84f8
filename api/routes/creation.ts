// How a payment is created, and what the api believes of an answer through Temporal: what a worker vouches for.
// Anything else is counted, because no honest process answers it while the keys are at hand, and the database answers.
import { type Problem, problem } from '../../contract/http/errors.js';
import type { DepositOrder, WithdrawalOrder } from '../../contract/temporal/payment.js';
import type { CreationAttempt, Reply } from '../../platform/temporal/calls.js';
import { count } from '../../platform/telemetry/instruments.js';
import type { Database } from '../../store/database.js';
import type { PaymentReads } from '../../store/payments/reads.js';
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
function ordersOfRuns<Order extends DepositOrder | WithdrawalOrder>(
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
async function believedCreation<Kind extends PaymentKind>(
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

type OrderOf<Kind extends PaymentKind> = Kind extends 'deposit' ? DepositOrder : WithdrawalOrder;

/** Which payment an order is about, by the gateway's id and the operator's. */
export type NamedOrder = Pick<DepositOrder, 'id' | 'operationId' | 'externalId'>;

/** One kind of payments: their rows, and the answers to a creation. */
export interface Creation<Kind extends PaymentKind, Row extends { readonly id: string }, Answer> {
  readonly kind: Kind;
  readonly sealer: Sealer;
  readonly database: Database;
  readonly reads: Pick<PaymentReads<Row>, 'find' | 'findOfExternalId'>;
  readonly answerOfRow: (row: Row) => Answer;
  /** Of the workflow's first answer; repeats get it too. */
  readonly answerOfSnapshot: (snapshot: SnapshotOf<Kind>, order: OrderOf<Kind>) => Answer | Promise<Answer>;
  /** The payment as it is now. */
  readonly presentCurrent: (row: Row) => Promise<unknown>;
}

/** Creates the payment or returns the refusal. Repeating it with the same id never creates a second one. */
export async function createPayment<Kind extends PaymentKind, Row extends { readonly id: string }, Answer>(
  creation: Creation<Kind, Row, Answer>,
  order: OrderOf<Kind>,
  create: (orderOf: () => OrderOf<Kind>, attempt: CreationAttempt) => Promise<Reply<unknown>>,
): Promise<Answer | Problem | 'unavailable'> {
  const { sealer, kind, database, reads } = creation;
  const { id, operationId } = order;
  const orderOf = ordersOfRuns(sealer, kind, order);
  const believed = await believedCreation(sealer, kind, { id, operationId }, (attempt) => create(orderOf, attempt));
  // No decision in time, or the workflow ended and its history is gone, or nobody vouches for what was answered. A row
  // proves that the payment was created. A used external_id answers before 503 (checks 5 and 8).
  if (believed === null) {
    const row = await reads.find(database, operationId, id);
    return row === null ? ((await existingPayment(creation, order)) ?? 'unavailable') : creation.answerOfRow(row);
  }
  switch (believed.kind) {
    case 'created':
      return creation.answerOfSnapshot(believed.snapshot, order);
    case 'refused':
      // A used external_id answers before the rules (checks 5 and 7), with the object that exists. A refusal would make
      // an operator release its reserve while the withdrawal with that external_id is paid.
      return (await existingPayment(creation, order)) ?? problem(believed.code);
  }
}

/**
 * The answer for a used `external_id`: a refusal with the existing object. When an earlier attempt of this request
 * created that object, the answer is the object itself: a refusal would deny a payment that exists. `null` if the id is
 * free.
 */
export async function existingPayment<Kind extends PaymentKind, Row extends { readonly id: string }, Answer>(
  { database, reads, answerOfRow, presentCurrent }: Creation<Kind, Row, Answer>,
  { id, operationId, externalId }: NamedOrder,
): Promise<Answer | Problem | null> {
  const row = await reads.findOfExternalId(database, operationId, externalId);
  if (row === null) return null;
  if (row.id === id) return answerOfRow(row);
  return problem('duplicate_external_id', { existing: await presentCurrent(row) });
}
