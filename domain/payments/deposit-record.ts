// A deposit as its row holds it, with everything that decisions depend on, and what a step may change in it.
import type { AlertKind, AlertNote } from '../alerts.js';
import { type BankMovement, type ReturnedPart, returnedMinor } from '../bank-movements.js';
import {
  DEPOSIT_TRANSITIONS,
  depositAllows,
  type DepositSnapshot,
  type DepositTrigger,
  isLatePayment,
  type ReviewDecision,
} from './deposit.js';
import type { LedgerMovement, LedgerTransfer } from '../ledger.js';
import { feeTransfer, type ProviderFee } from '../provider-fees.js';
import { partOf } from './returns.js';
import type { UsedAct } from '../staff.js';

/**
 * A return to the payer that people requested, and that the provider has not done or refused yet: of the deposit's own
 * payment under review, or of an item in suspense.
 */
export interface ReturnRequest {
  /** The person's stored act, or the order of an item's return (store/ledger): a repeat finds it. Never published. */
  readonly actId: string;
  /** The end-to-end id of the payment that goes back. */
  readonly of: string;
  readonly person: string;
  readonly reason: string;
  /** RFC 3339. */
  readonly at: string;
  /** What is asked for under this return's id, whatever goes back meanwhile. */
  readonly amountMinor: bigint;
  /** What had gone back of the payment before. */
  readonly returnedBeforeMinor: bigint;
}

/** A part of a payment that has gone back, as a change books it. */
export interface BookedReturn extends ReturnedPart {
  readonly kind: 'refund' | 'chargeback';
  /** By the bank's clock. RFC 3339. */
  readonly at: string;
  readonly saidBy: BankMovement['saidBy'];
  /** What of it was in suspense and had been given to the cash box before it went back; absent if nothing. */
  readonly recalledMinor?: bigint;
}

export interface DepositRecord {
  readonly snapshot: DepositSnapshot;
  /** Rises with every write, so that a step stores only if the row is unchanged. */
  readonly revision: number;
  readonly returnRequest: ReturnRequest | null;
  /** How often people requested a return: it numbers the provider's ids of them (identifiers.ts). */
  readonly returns: number;
  /** End-to-end ids of further payments on the charge. Their money is in suspense. */
  readonly extraPayments: readonly string[];
  /** The provider's fee for each payment, by end-to-end id. Fees that it has not reported are absent. */
  readonly fees: Readonly<Record<string, bigint>>;
  /** What has gone back of its payments, each part once. The ledger has the same. */
  readonly returnedParts: readonly ReturnedPart[];
  /** What people gave to the cash box out of suspense, and has not gone back since, by end-to-end id. */
  readonly suspenseCredits: Readonly<Record<string, bigint>>;
  /** The provider reports more returns than the payment: nothing is credited or returned until a report makes sense. */
  readonly isReturnInDoubt: boolean;
}

/** The record of a deposit that was just created. */
export function newRecord(snapshot: DepositSnapshot): DepositRecord {
  const returns = { returnRequest: null, returns: 0, returnedParts: [], isReturnInDoubt: false };
  return { snapshot, revision: 1, ...returns, extraPayments: [], fees: {}, suspenseCredits: {} };
}

/** Whether the return is of the deposit's own payment, and under review: when it is done, the deposit is returned. */
export function isOfReview({ snapshot }: Pick<DepositRecord, 'snapshot'>, { of }: Pick<ReturnRequest, 'of'>): boolean {
  return of === snapshot.endToEndId && !isLatePayment(snapshot.status);
}

/** What of a requested return has not gone back since, by itself or otherwise. */
export function unreturnedMinor(
  { returnedParts }: Pick<DepositRecord, 'returnedParts'>,
  request: ReturnRequest,
): bigint {
  const { of, amountMinor, returnedBeforeMinor } = request;
  return amountMinor + returnedBeforeMinor - returnedMinor(returnedParts, of);
}

/** What is left of the deposit's own payment. */
export function leftMinor({ snapshot, returnedParts }: Pick<DepositRecord, 'snapshot' | 'returnedParts'>): bigint {
  const { paidAmountMinor, amountMinor, endToEndId } = snapshot;
  return (paidAmountMinor ?? amountMinor) - returnedMinor(returnedParts, endToEndId);
}

/** The provider, its author, refused the return that a person had decided. It happens when it is stored. */
export interface RefusedReturn {
  readonly decision: 'return_refused';
  readonly person: string;
  readonly requestedBy: string;
  /** The person's. */
  readonly reason: string;
  readonly at: null;
  /** The provider's. */
  readonly code: string;
  readonly number: `refused-${string}`;
}

/** An act for the audit trail; `number` identifies it among the deposit's acts. */
export type DepositAct = RefusedReturn | PersonsDepositAct;

type PersonsDepositAct = { readonly person: string; readonly reason: string; readonly at: string } &
  /** `evidence`: where the provider states that the return is done, if people concluded it. */
  (
    | { readonly decision: ReviewDecision['decision']; readonly number: number; readonly evidence?: string }
    | { readonly decision: 'return_requested'; readonly number: `return-${string}` }
    /** An item in suspense went back, as people ordered. `payment`: its end-to-end id. */
    | {
        readonly decision: 'item_returned';
        readonly number: `item-${string}`;
        readonly payment: string;
        readonly evidence?: string;
      }
    | { readonly decision: 'cancel'; readonly number: 'cancel' }
    /** Two people concluded from the provider's statement that the return was not made and never will be. */
    | { readonly decision: 'return_withdrawn'; readonly number: `withdrawn-${string}`; readonly evidence: string }
  );

/** What one statement changes. */
export interface DepositChange {
  /** The transition; `null` for a note, which has no version and no event of its own. */
  readonly trigger: DepositTrigger | null;
  /** A transition that leads elsewhere than `under_review` has no review reasons. */
  readonly fields?: Partial<
    Pick<
      DepositSnapshot,
      | 'paidAmountMinor'
      | 'instructions'
      | 'failureCode'
      | 'reviewReasons'
      | 'decidedBy'
      | 'endToEndId'
      | 'latePayment'
      | 'paidAt'
      | 'expiresAt'
    >
  >;
  /** Sealed DepositPayer of a payment that becomes the deposit's. */
  readonly sealedPayer?: string;
  /** Set by a note only. A transition ends a request for the deposit's own payment. */
  readonly returnRequest?: ReturnRequest | null;
  readonly extraPayment?: string;
  /** Set by a note only: money that was received and is not credited. */
  readonly suspense?: {
    readonly of: string;
    readonly amountMinor: bigint;
    readonly paidAt: string;
    /** Sealed DepositPayer. */
    readonly sealedPayer: string;
  };
  readonly fee?: ProviderFee;
  /** Money that went back. With a transition it is the last part of the payment. */
  readonly returned?: BookedReturn;
  /** Set by a note only: a return that people entered, as the provider reports it now. It is in the books. */
  readonly confirmed?: { readonly entered: ReturnedPart; readonly reported: ReturnedPart };
  /** Set by a note only. */
  readonly isReturnInDoubt?: boolean;
  /** The version of the provider contract by which the answer behind this change was read. */
  readonly contract?: string;
  readonly alert?: AlertNote;
  readonly resolves?: readonly AlertKind[];
  readonly act?: DepositAct;
  /** The stored act of a person that the change performs. */
  readonly uses?: UsedAct;
}

/** The record after the change. Throws for a transition that the state table does not have: a bug. */
export function changed(record: DepositRecord, change: DepositChange, at: string): DepositRecord {
  const { snapshot, extraPayments, fees } = record;
  const hasPayer = snapshot.hasPayer || change.sealedPayer !== undefined;
  const noted = { ...snapshot, ...change.fields, hasPayer, updatedAt: at };
  const { extraPayment, fee, trigger, returned } = change;
  return {
    snapshot: trigger === null ? noted : moved(noted, change, trigger),
    revision: record.revision + 1,
    returnRequest: requestAfter(record, change),
    returns: record.returns + (record.returnRequest === null && change.returnRequest != null ? 1 : 0),
    extraPayments: extraPayment === undefined ? extraPayments : [...extraPayments, extraPayment],
    fees: fee === undefined ? fees : { ...fees, [fee.of]: fee.amountMinor },
    returnedParts: partsAfter(record, change),
    suspenseCredits: creditsAfter(record, returned),
    isReturnInDoubt: change.isReturnInDoubt ?? (trigger === null && record.isReturnInDoubt),
  };
}

/** The alerts that the change resolves. However a requested return ends, its alert ends with it. */
export function resolvedBy(before: DepositRecord, change: DepositChange): readonly AlertKind[] {
  const { resolves = [] } = change;
  const isReturnOver = before.returnRequest !== null && requestAfter(before, change) === null;
  return isReturnOver ? [...resolves, 'RETURN_UNFINISHED'] : resolves;
}

function requestAfter(record: DepositRecord, { trigger, returnRequest }: DepositChange): ReturnRequest | null {
  const before = record.returnRequest;
  if (returnRequest !== undefined) return returnRequest;
  return trigger !== null && before !== null && isOfReview(record, before) ? null : before;
}

function moved(deposit: DepositSnapshot, { fields }: DepositChange, trigger: DepositTrigger): DepositSnapshot {
  if (!depositAllows(trigger, deposit.status)) throw new RangeError(`${trigger} is not allowed from ${deposit.status}`);
  const { to } = DEPOSIT_TRANSITIONS[trigger];
  const reviewReasons = to === 'under_review' ? (fields?.reviewReasons ?? []) : [];
  return { ...deposit, status: to, version: deposit.version + 1, reviewReasons };
}

function partsAfter({ returnedParts }: DepositRecord, { returned, confirmed }: DepositChange): readonly ReturnedPart[] {
  if (returned !== undefined) return [...returnedParts, partOf(returned.of, returned)];
  if (confirmed === undefined) return returnedParts;
  const { entered, reported } = confirmed;
  return returnedParts.map((part) =>
    part.of === entered.of && part.reference === entered.reference ? reported : part,
  );
}

function creditsAfter({ suspenseCredits }: DepositRecord, returned?: BookedReturn): Record<string, bigint> {
  if (returned?.recalledMinor === undefined) return { ...suspenseCredits };
  const { of, recalledMinor } = returned;
  return { ...suspenseCredits, [of]: (suspenseCredits[of] ?? 0n) - recalledMinor };
}

/** The movements of a change that led to `after`. */
export function movementsOf(
  after: DepositSnapshot,
  change: Pick<DepositChange, 'trigger' | 'suspense' | 'fee' | 'returned'>,
): readonly LedgerTransfer[] {
  const movement = movementOf(after, change);
  const { fee, returned } = change;
  if (fee === undefined) return movement === null ? [] : [...recallOf(returned), movement];
  const settledAt = movement?.bank?.settledAt ?? after.paidAt ?? after.updatedAt;
  const transfer = feeTransfer(fee, movement, { bankId: fee.of, settledAt });
  return movement === null ? [transfer] : [movement, transfer];
}

function movementOf(
  after: DepositSnapshot,
  { trigger, suspense, returned }: Pick<DepositChange, 'trigger' | 'suspense' | 'returned'>,
): LedgerTransfer | null {
  if (returned !== undefined) return returnOf(after, trigger, returned);
  if (suspense !== undefined) {
    const { of, amountMinor, paidAt } = suspense;
    return { name: 'late_payment_received', amountMinor, step: `received:${of}`, bank: receipt(of, paidAt), item: of };
  }
  const name = trigger === null ? null : DEPOSIT_TRANSITIONS[trigger].moves;
  if (name === null) return null;
  const { version, paidAmountMinor, endToEndId, paidAt, updatedAt } = after;
  const isReceipt = name === 'deposit_credited' || name === 'deposit_held';
  const bank = isReceipt && endToEndId !== null ? receipt(endToEndId, paidAt ?? updatedAt) : null;
  return { name, amountMinor: paidAmountMinor ?? after.amountMinor, step: String(version), bank };
}

const receipt = (bankId: string, settledAt: string): BankMovement => ({
  kind: 'received',
  bankId,
  part: '',
  settledAt,
  saidBy: 'provider',
});

/** Exactly the part that went back, from where its payment is. */
function returnOf(after: DepositSnapshot, trigger: DepositTrigger | null, returned: BookedReturn): LedgerTransfer {
  const { of, reference: part, amountMinor, at: settledAt, saidBy } = returned;
  const name = (trigger === null ? null : DEPOSIT_TRANSITIONS[trigger].moves) ?? partialReturn(after, returned);
  return {
    name,
    amountMinor,
    step: returnStep(of, part),
    bank: { kind: 'returned_to_payer', bankId: of, part, settledAt, saidBy },
    ...(name === 'suspense_reversed' ? { item: of } : {}),
  };
}

/** The step of a return among the movements of its deposit. */
export function returnStep(of: string, part: string): string {
  return `returned:${of}:${part}`;
}

/** Money that the cash box was given out of suspense comes back before it goes to its payer. */
function recallOf(returned?: BookedReturn): readonly LedgerTransfer[] {
  if (returned?.recalledMinor === undefined) return [];
  const { of, reference, recalledMinor: amountMinor } = returned;
  return [{ name: 'suspense_recalled', amountMinor, step: `recalled:${of}:${reference}`, bank: null, item: of }];
}

function partialReturn({ status, endToEndId }: DepositSnapshot, { of, kind }: BookedReturn): LedgerMovement {
  if (of !== endToEndId) return 'suspense_reversed';
  switch (status) {
    case 'under_review':
      return 'deposit_returned';
    case 'paid':
      return kind === 'refund' ? 'deposit_refunded_in_part' : 'deposit_charged_back_in_part';
    case 'expired':
    case 'cancelled':
    case 'failed':
      return 'suspense_reversed';
    case 'created':
    case 'pending':
    case 'returned':
    case 'refunded':
    case 'chargeback':
      throw new RangeError(`nothing is left to return of a payment that is ${status}`);
  }
}
