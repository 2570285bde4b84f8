// What follows from an answer of the provider or an act of a person on a deposit.
import { alertOf } from '../alert-records.js';
import { returnedMinor } from '../bank-movements.js';
import { depositAllows, type DepositInstructions, type DepositSnapshot, type ReviewDecision } from './deposit.js';
import {
  type BookedReturn,
  type DepositChange,
  type DepositRecord,
  isOfReview,
  leftMinor,
  type ReturnRequest,
  unreturnedMinor,
} from './deposit-record.js';
import { returnReferenceOf } from '../identifiers.js';
import type { ReturnConclusion } from './returns.js';
import { providerAuthor } from '../people.js';
import { isDoneTo, permittedAct, type PersonAct, type StaffActRefusal, usedAct } from '../staff.js';

/** The provider's conclusive answer to the request for a charge. */
export type ChargeResult =
  | { readonly kind: 'created'; readonly instructions: DepositInstructions; readonly expiresAt: string }
  /** `environment_guard`, `psp_rejected` or the provider's code. */
  | { readonly kind: 'refused'; readonly failureCode: string };

/** The provider's answer to the request for a return to the payer. */
export type ReturnResult =
  /** `amountMinor` and `at` as the provider states them. */
  | { readonly kind: 'done'; readonly amountMinor: bigint; readonly at: string }
  | { readonly kind: 'pending' }
  | { readonly kind: 'refused'; readonly code: string };

/** A change to store; `done` if it is stored already; or why nothing changes. */
export type DepositActResult = DepositChange | 'done' | 'invalid_state' | StaffActRefusal;

/** created → pending or failed; `null` if the answer is stored already. */
export function chargeAnswered({ snapshot }: DepositRecord, result: ChargeResult): DepositChange | null {
  if (snapshot.status !== 'created') return null;
  const resolves = ['CHARGE_UNANSWERED'] as const;
  switch (result.kind) {
    case 'created': {
      const { instructions, expiresAt } = result;
      return { trigger: 'charge_created', fields: { instructions, expiresAt }, resolves };
    }
    case 'refused': {
      const { failureCode } = result;
      const refused = { trigger: 'charge_refused', fields: { failureCode }, resolves } as const;
      if (failureCode !== 'environment_guard') return refused;
      const alert = alertOf('ENVIRONMENT_GUARD', 'guarded', { payment: snapshot.id });
      return { ...refused, alert: { ...alert, occasion: 'charge' } };
    }
  }
}

/** The operator's cancel. A cancel of a cancelled deposit is done: it gives the same answer and publishes no event. */
export function cancel({ snapshot }: DepositRecord): DepositActResult {
  if (snapshot.status === 'cancelled') return 'done';
  return depositAllows('cancel', snapshot.status) ? { trigger: 'cancel' } : 'invalid_state';
}

/** A person's cancel of the deposit at the version that the person saw. */
export function cancelByStaff({ snapshot }: DepositRecord, act: PersonAct): DepositActResult {
  if (isDoneTo(act.stored, 'deposit.cancel', snapshot)) return 'done';
  const permitted = personalAct(snapshot, 'deposit.cancel', act);
  if (typeof permitted === 'string') return permitted;
  if (!depositAllows('cancel', snapshot.status)) return 'invalid_state';
  const { person, reason, at, uses } = permitted;
  const kept = { person, decision: 'cancel', reason, at, number: 'cancel' } as const;
  return { trigger: 'cancel', act: kept, uses };
}

/** `seenVersion` is the version that the caller has seen. A deposit that expired since then was expired by this act. */
export function expire({ snapshot }: DepositRecord, seenVersion: number): DepositActResult {
  if (snapshot.status === 'expired' && snapshot.version > seenVersion) return 'done';
  return depositAllows('expiry', snapshot.status) ? { trigger: 'expiry' } : 'invalid_state';
}

/**
 * Credits the payment. Refused while its return is requested, and for any amount other than the charged one: a
 * different amount, or a payment that went back in part, can only be returned in full.
 */
export function approve({ snapshot, returnRequest, ...record }: DepositRecord, act: PersonAct): DepositActResult {
  if (isKept(snapshot.decidedBy, act)) return 'done';
  // Of its own payment: what goes back of another one is in suspense.
  const hasGoneBack = record.isReturnInDoubt || returnedMinor(record.returnedParts, snapshot.endToEndId) > 0n;
  const isDifferent = snapshot.reviewReasons.includes('AMOUNT_MISMATCH') || hasGoneBack;
  const isReturning = returnRequest !== null && isOfReview({ snapshot }, returnRequest);
  if (!depositAllows('approve', snapshot.status) || isReturning || isDifferent) return 'invalid_state';
  const permitted = personalAct(snapshot, 'deposit.approve', act);
  if (typeof permitted === 'string') return permitted;
  const { actId, person, reason, at, uses } = permitted;
  const decidedBy: ReviewDecision[] = [...snapshot.decidedBy, { actId, person, decision: 'approve', reason, at }];
  const kept = { person, decision: 'approve', reason, at, number: decidedBy.length } as const;
  return { trigger: 'approve', fields: { decidedBy }, act: kept, uses };
}

/** Stores the request for a return, before the provider is called. One return of a deposit is under way at a time. */
export function requestReturn(record: DepositRecord, act: PersonAct): DepositActResult {
  const { snapshot, returnRequest, isReturnInDoubt } = record;
  if (returnRequest?.actId === act.actId || isKept(snapshot.decidedBy, act)) return 'done';
  const isPaid = snapshot.endToEndId !== null && snapshot.paidAmountMinor !== null;
  if (!depositAllows('return', snapshot.status) || returnRequest !== null || !isPaid || isReturnInDoubt)
    return 'invalid_state';
  const permitted = personalAct(snapshot, 'deposit.return', act);
  if (typeof permitted === 'string') return permitted;
  const { actId, person, reason, at, uses } = permitted;
  const kept = { person, decision: 'return_requested', reason, at, number: `return-${actId}` } as const;
  const request = { actId, person, reason, at, ...wholeOf(record) };
  return { trigger: null, returnRequest: request, act: kept, uses };
}

/** All that is left of the deposit's own payment, as a return asks for it. */
function wholeOf(record: DepositRecord): Pick<ReturnRequest, 'of' | 'amountMinor' | 'returnedBeforeMinor'> {
  const { endToEndId: of } = record.snapshot;
  const returnedBeforeMinor = returnedMinor(record.returnedParts, of);
  return { of: of ?? '', amountMinor: leftMinor(record), returnedBeforeMinor };
}

/** Who decides and why, from the stored act; or why it cannot be done to this deposit. */
function personalAct(
  snapshot: DepositSnapshot,
  kind: 'deposit.approve' | 'deposit.return' | 'deposit.cancel',
  { actId, stored, at }: PersonAct,
) {
  const act = permittedAct(stored, kind, snapshot);
  if (typeof act === 'string') return act;
  return { actId, person: act.handle, reason: act.reason, at, uses: usedAct(act, kind) };
}

function isKept(decisions: readonly ReviewDecision[], { actId }: PersonAct): boolean {
  return decisions.some((decision) => decision.actId === actId);
}

/**
 * The requested return is done. Of the deposit's own payment it ends the deposit, unless it was of less than what was
 * left: then people decide about the rest. The provider cannot have returned more than was left, so then nothing is
 * known.
 */
export function returnDone(record: DepositRecord, request: ReturnRequest, returned: BookedReturn): DepositChange {
  const { snapshot } = record;
  const { actId, person, reason, at } = request;
  if (!isOfReview(record, request)) return itemReturned(request, returned);
  const left = leftMinor(record);
  if (returned.amountMinor > left) return inDoubt(snapshot.id, returned, left);
  if (returned.amountMinor < left) {
    const values = { payment: snapshot.id, centavos: returned.amountMinor, leftCentavos: left };
    const alert = { ...alertOf('PARTIAL_REVERSAL', 'returned', values), occasion: returned.reference };
    return { trigger: null, returnRequest: null, returned, alert };
  }
  const decidedBy: ReviewDecision[] = [...snapshot.decidedBy, { actId, person, decision: 'return', reason, at }];
  const act = { person, decision: 'return', reason, at, number: decidedBy.length } as const;
  return { trigger: 'return', fields: { decidedBy }, act, returned };
}

/** An item in suspense went back. If it was a part, the rest is an item as before. */
function itemReturned({ actId, of, person, reason, at }: ReturnRequest, returned: BookedReturn): DepositChange {
  const act = { person, decision: 'item_returned', reason, at, payment: of, number: `item-${actId}` } as const;
  return { trigger: null, returnRequest: null, returned, act };
}

function inDoubt(id: string, { amountMinor, reference }: BookedReturn, left: bigint): DepositChange {
  const values = { payment: id, centavos: amountMinor, leftCentavos: left };
  const alert = { ...alertOf('REVERSAL_ABOVE_PAYMENT', 'ours', values), occasion: reference };
  return { trigger: null, isReturnInDoubt: true, alert };
}

/** The return that people requested last, as a part of the payment. */
export function requestedReturn(
  { snapshot, returns }: DepositRecord,
  { of }: ReturnRequest,
  done: Pick<BookedReturn, 'amountMinor' | 'at' | 'saidBy'>,
): BookedReturn {
  return {
    of,
    reference: returnReferenceOf(snapshot.id, returns),
    kind: 'refund',
    ...done,
  };
}

/**
 * What two people concluded of the return from the provider's statement. Done: the payment went back. Never: the
 * request ends, and the payment waits for another decision. The audit trail has the statement.
 */
export function returnConcluded(record: DepositRecord, request: ReturnRequest, by: ReturnConclusion): DepositChange {
  const { evidence } = by;
  if (by.result === 'done') {
    const amountMinor = unreturnedMinor(record, request);
    // Everything went back otherwise: nothing of it is left to book.
    if (amountMinor === 0n) return { trigger: null, returnRequest: null };
    const returned = requestedReturn(record, request, { amountMinor, at: by.at, saidBy: 'people' });
    const { act, ...change } = returnDone(record, request, returned);
    const isDone = act?.decision === 'return' || act?.decision === 'item_returned';
    return isDone ? { ...change, act: { ...act, evidence } } : change;
  }
  const { person, reason, at } = by;
  const number = `withdrawn-${request.actId}` as const;
  return {
    trigger: null,
    returnRequest: null,
    act: { person, decision: 'return_withdrawn', reason, at, evidence, number },
  };
}

/** The provider refused the return: the payment waits for another decision. */
export function returnRefused({ snapshot }: DepositRecord, request: ReturnRequest, code: string): DepositChange {
  const { person, reason, at } = request;
  const alert = alertOf('RETURN_REFUSED', 'refused', { payment: snapshot.id, code });
  return {
    trigger: null,
    returnRequest: null,
    alert: { ...alert, occasion: at },
    act: {
      ...{ person: providerAuthor(snapshot.provider), decision: 'return_refused', reason, at: null, code },
      ...{ requestedBy: person, number: `refused-${at}` },
    },
  };
}
