// What the api believes of an answer through Temporal: what a worker vouches for. Anything else is counted, because no
// honest process answers it while the keys are at hand, and the database answers.
import { count } from '../../platform/telemetry/instruments.js';
import type { Sealer } from '../../store/sealing/sealer.js';
import {
  type AnsweredPayment,
  type PaymentKind,
  vouchedCreation,
  type VouchedCreation,
  vouchedSnapshot,
  type SnapshotOf,
} from '../../store/sealing/vouched-answers.js';

/** The snapshot in the answer to a query; `null` if there is none that may be believed. */
export function believedSnapshot<Kind extends PaymentKind>(
  sealer: Sealer,
  kind: Kind,
  payment: AnsweredPayment,
  answer: unknown,
): SnapshotOf<Kind> | null {
  if (answer === null) return null;
  const snapshot = vouchedSnapshot(sealer, kind, payment, answer);
  if (snapshot === null) count('gateway_unvouched_answers_total', { kind, question: 'state' });
  return snapshot;
}

/** The outcome of a creation; `null` if the database has to answer. */
export function believedCreation<Kind extends PaymentKind>(
  sealer: Sealer,
  kind: Kind,
  payment: AnsweredPayment,
  answer: unknown,
): Exclude<VouchedCreation<Kind>, { readonly kind: 'unvouched' | 'duplicate' }> | null {
  const creation = vouchedCreation(sealer, kind, payment, answer);
  if (creation.kind === 'unvouched') count('gateway_unvouched_answers_total', { kind, question: 'creation' });
  return creation.kind === 'unvouched' || creation.kind === 'duplicate' ? null : creation;
}
