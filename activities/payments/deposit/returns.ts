// The return of a payment to its payer, requested by people. The provider is called until it is done or refused.
import type { PaymentRef } from '../../../contract/temporal/payment-steps.js';
import { returnReferenceOf } from '../../../domain/identifiers.js';
import {
  requestedReturn,
  returnDone,
  returnRefused,
  type ReturnResult,
} from '../../../domain/payments/deposit-acts.js';
import { type DepositChange, type DepositRecord, unreturnedMinor } from '../../../domain/payments/deposit-record.js';
import type { DepositRow } from '../../../store/payments/deposit/read.js';
import { assertPermitted, notYet } from '../retries.js';
import { type Decision, decideAndStore, readBy } from '../step.js';
import type { ReturnAsked } from '../types.js';
import { lookUpCharge } from './look-up.js';
import { answerOf, type DepositDependencies, questionOf } from './ports.js';

/** Pause before the next look-up of the return; later a quarter of an hour. */
const PAUSES_SECONDS = [2, 5, 10, 30, 60, 300] as const;

/**
 * Requests the stored return from the provider, and stores a conclusive answer. Ends when the return is done or
 * refused: a pending one, and a refused permission, are retryable failures.
 */
export async function followReturn(
  dependencies: DepositDependencies,
  { isLater, ...ref }: PaymentRef & { readonly isLater?: boolean },
): Promise<ReturnAsked> {
  const { asked, isConcluded } = await askForReturn(dependencies, ref);
  if (asked.outcome === 'pending') throw notYet('return_pending', isLater && !isConcluded, PAUSES_SECONDS);
  return asked;
}

/** `isConcluded`: people have entered the provider's statement, so the return is looked up, and not requested again. */
async function askForReturn(
  dependencies: DepositDependencies,
  ref: PaymentRef,
): Promise<{ readonly asked: ReturnAsked; readonly isConcluded: boolean }> {
  const { deposits, charges, environment } = dependencies;
  const first = await deposits.read(ref);
  const { returnRequest } = first.record;
  if (returnRequest === null)
    return { asked: { ...answerOf(first), outcome: outcomeWithoutRequest(first.record) }, isConcluded: false };
  const { actId, of: endToEndId, amountMinor } = returnRequest;
  if ((await deposits.readConclusion(actId)) !== null)
    return { asked: await lookUpReturn(dependencies, ref), isConcluded: true };
  // A part has gone back since it was requested. Under one id the amount never changes, and no more than is left is
  // asked for: only what became of the earlier requests counts.
  if (unreturnedMinor(first.record, returnRequest) !== amountMinor)
    return { asked: await lookUpReturn(dependencies, ref), isConcluded: false };
  await assertPermitted(deposits, 'return', ref, await deposits.permitReturn(first, returnRequest, environment));
  const reference = returnReferenceOf(ref.id, first.record.returns);
  const result = await charges.returnPayment({ ...questionOf(first, ref.at), endToEndId, reference, amountMinor });
  const decide = ({ record }: DepositRow) => {
    const { outcome, change } = answered(record, actId, result);
    return { outcome, change: readBy(charges.contractOf(first.order), change) };
  };
  const { row, outcome } = await decideAndStore(deposits, ref, decide, { first });
  return { asked: { ...answerOf(row), outcome }, isConcluded: false };
}

/** The look-up settles it: by what the provider says, else by what people concluded (look-up.ts). */
async function lookUpReturn(dependencies: DepositDependencies, ref: PaymentRef): Promise<ReturnAsked> {
  const { state } = await lookUpCharge(dependencies, { ...ref, rules: 'silent' });
  return { state, outcome: state.isReturning ? 'pending' : outcomeWithoutRequest({ snapshot: state.snapshot }) };
}

/** The outcome of the request, as an earlier attempt or another step stored it. */
function outcomeWithoutRequest({ snapshot }: Pick<DepositRecord, 'snapshot'>): 'done' | 'refused' | 'invalid_state' {
  if (snapshot.status === 'returned') return 'done';
  return snapshot.status === 'under_review' ? 'refused' : 'invalid_state';
}

function answered(
  record: DepositRecord,
  actId: string,
  result: ReturnResult,
): Decision<ReturnAsked['outcome'], DepositChange> {
  const { returnRequest } = record;
  if (returnRequest?.actId !== actId) return { outcome: outcomeWithoutRequest(record), change: null };
  switch (result.kind) {
    case 'pending':
      return { outcome: 'pending', change: null };
    case 'done': {
      const { amountMinor, at } = result;
      const returned = requestedReturn(record, returnRequest, { amountMinor, at, saidBy: 'provider' });
      const change = returnDone(record, returnRequest, returned);
      // With a rest, people decide about that.
      const isDone = change.trigger === 'return' || change.act?.decision === 'item_returned';
      return { outcome: isDone ? 'done' : 'refused', change };
    }
    case 'refused':
      return { outcome: 'refused', change: returnRefused(record, returnRequest, result.code) };
  }
}
