// A deposit as its row holds it, with everything that decisions depend on, and what a step may change in it.
import type { AlertKind, AlertNote } from './alerts.js';
import {
  DEPOSIT_TRANSITIONS,
  depositAllows,
  type DepositSnapshot,
  type DepositTrigger,
  type ReviewDecision,
} from './deposit.js';
import type { LedgerTransfer } from './ledger.js';
import { feeTransfer, type ProviderFee } from './provider-fees.js';
import type { UsedAct } from './staff.js';

/** A return to the payer that a person requested, and that the provider has not done or refused yet. */
export interface ReturnRequest {
  /** The person's stored act: a repeat finds it. Never published. */
  readonly actId: string;
  readonly person: string;
  readonly reason: string;
  /** RFC 3339. */
  readonly at: string;
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
  readonly fees: Readonly<Record<string, string>>;
  /** The part of the payment that went back without us while the deposit was under review; `0` if none did. */
  readonly reversedMinor: string;
}

/** A person's act for the audit trail; `number` identifies it among the deposit's acts. */
export type DepositAct = { readonly person: string; readonly reason: string; readonly at: string } &
  /** `evidence`: where the provider states that the return is done, if people concluded it. */
  (
    | { readonly decision: ReviewDecision['decision']; readonly number: number; readonly evidence?: string }
    | { readonly decision: 'return_requested'; readonly number: `return-${string}` }
    | { readonly decision: 'cancel'; readonly number: 'cancel' }
    /** The provider refused what the person decided, with this code. */
    | { readonly decision: 'return_refused'; readonly number: `refused-${string}`; readonly code: string }
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
  /** Set by a note only. A transition ends the request. */
  readonly returnRequest?: ReturnRequest | null;
  readonly extraPayment?: string;
  /** Set by a note only: money that was received and is not credited. */
  readonly suspense?: { readonly amountMinor: string; readonly transferId: string };
  readonly fee?: ProviderFee;
  /** Set by a note only: the sum that went back so far. */
  readonly reversedMinor?: string;
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
  const { extraPayment, fee, trigger } = change;
  return {
    snapshot: trigger === null ? noted : moved(noted, change, trigger),
    revision: record.revision + 1,
    returnRequest: requestAfter(record, change),
    returns: record.returns + (record.returnRequest === null && change.returnRequest != null ? 1 : 0),
    extraPayments: extraPayment === undefined ? extraPayments : [...extraPayments, extraPayment],
    fees: fee === undefined ? fees : { ...fees, [fee.of]: fee.amountMinor },
    reversedMinor: change.reversedMinor ?? record.reversedMinor,
  };
}

/** The alerts that the change resolves. However a requested return ends, its alert ends with it. */
export function resolvedBy(before: DepositRecord, change: DepositChange): readonly AlertKind[] {
  const { resolves = [] } = change;
  const isReturnOver = before.returnRequest !== null && requestAfter(before, change) === null;
  return isReturnOver ? [...resolves, 'RETURN_UNFINISHED'] : resolves;
}

function requestAfter(record: DepositRecord, { trigger, returnRequest }: DepositChange): ReturnRequest | null {
  if (trigger !== null) return null;
  return returnRequest === undefined ? record.returnRequest : returnRequest;
}

function moved(deposit: DepositSnapshot, { fields }: DepositChange, trigger: DepositTrigger): DepositSnapshot {
  if (!depositAllows(trigger, deposit.status)) throw new RangeError(`${trigger} is not allowed from ${deposit.status}`);
  const { to } = DEPOSIT_TRANSITIONS[trigger];
  const reviewReasons = to === 'under_review' ? (fields?.reviewReasons ?? []) : [];
  return { ...deposit, status: to, version: deposit.version + 1, reviewReasons };
}

/** The movements of a change that led to `after`. */
export function movementsOf(
  after: DepositSnapshot,
  change: Pick<DepositChange, 'trigger' | 'suspense' | 'fee'>,
): readonly LedgerTransfer[] {
  const movement = movementOf(after, change);
  const fee = change.fee === undefined ? null : feeTransfer(after.id, change.fee, movement);
  return [movement, fee].filter((one) => one !== null);
}

function movementOf(
  after: DepositSnapshot,
  { trigger, suspense }: Pick<DepositChange, 'trigger' | 'suspense'>,
): LedgerTransfer | null {
  if (trigger === null) return suspense === undefined ? null : { name: 'late_payment_received', ...suspense };
  const { moves } = DEPOSIT_TRANSITIONS[trigger];
  if (moves === null) return null;
  const amountMinor = after.paidAmountMinor ?? after.amountMinor;
  return { name: moves, amountMinor, transferId: `${after.id}:${after.version}` };
}
