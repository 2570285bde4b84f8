// The return of a payment to its payer, requested by a person. The provider is called until it is done or refused.
import type { PaymentRef } from '../../contract/temporal/payment-steps.js';
import { returnDone, returnRefused, type ReturnResult } from '../../domain/deposit-acts.js';
import type { DepositRecord } from '../../domain/deposit-record.js';
import type { KeptDeposit } from '../../store/deposits/read.js';
import { notYet } from '../payments/not-yet.js';
import {
  answerOf,
  assertPermitted,
  type Decision,
  decideAndStore,
  questionOf,
  readBy,
  readExisting,
} from './deciding.js';
import type { DepositDependencies } from './ports.js';
import type { ReturnAsked } from './types.js';

/** Pause before the next look-up of the return; later a quarter of an hour. */
const PAUSES_SECONDS = [2, 5, 10, 30, 60, 300] as const;

/** An inconclusive answer of the provider, or a refused permission to call it, is a retryable failure. */
export async function returnPayment(
  { deposits, charges, environment }: DepositDependencies,
  ref: PaymentRef,
): Promise<ReturnAsked> {
  const first = await readExisting(deposits, ref);
  const { endToEndId, paidAmountMinor } = first.snapshot;
  if (first.returnRequest === null || endToEndId === null || paidAmountMinor === null)
    return { ...answerOf(first), outcome: outcomeWithoutRequest(first) };
  // What went back already is not returned again.
  const amountMinor = (BigInt(paidAmountMinor) - BigInt(first.reversedMinor)).toString();
  const { actId } = first.returnRequest;
  const permission = await deposits.permitReturn(first, { actId, endToEndId, amountMinor }, environment);
  await assertPermitted(deposits, 'return', ref, permission);
  const result = await charges.returnPayment({ ...questionOf(first, ref.at), endToEndId, amountMinor });
  const decide = (now: KeptDeposit) => {
    const { outcome, change } = answered(now, actId, result);
    return { outcome, change: readBy(charges.contractOf(first.snapshot), change) };
  };
  const { kept, outcome } = await decideAndStore(deposits, ref, decide, { first });
  return { ...answerOf(kept), outcome };
}

/** The same until the return is done or refused: a pending one is a retryable failure. */
export async function followReturn(
  dependencies: DepositDependencies,
  { isLater, ...ref }: PaymentRef & { readonly isLater?: boolean },
): Promise<ReturnAsked> {
  const asked = await returnPayment(dependencies, ref);
  if (asked.outcome === 'pending') throw notYet('return_pending', isLater, PAUSES_SECONDS);
  return asked;
}

/** The outcome of the request, as an earlier attempt or another step stored it. */
function outcomeWithoutRequest({ snapshot }: DepositRecord): 'done' | 'refused' | 'invalid_state' {
  if (snapshot.status === 'returned') return 'done';
  return snapshot.status === 'under_review' ? 'refused' : 'invalid_state';
}

function answered(kept: KeptDeposit, actId: string, result: ReturnResult): Decision<ReturnAsked['outcome']> {
  const { returnRequest } = kept;
  if (returnRequest?.actId !== actId) return { outcome: outcomeWithoutRequest(kept), change: null };
  switch (result.kind) {
    case 'pending':
      return { outcome: 'pending', change: null };
    case 'done':
      return { outcome: 'done', change: returnDone(kept, returnRequest) };
    case 'refused':
      return { outcome: 'refused', change: returnRefused(kept, returnRequest, result.code) };
  }
}
