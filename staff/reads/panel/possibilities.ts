// Which acts on a payment a page offers to a person, and why not the others. A courtesy: the act itself is checked
// again by what does it.
import type { WhyNot } from '../../../contract/panel/schemas/common.js';
import { depositAllows, type DepositStatus, type ReviewDecision } from '../../../domain/payments/deposit.js';
import type { ReturnRequest } from '../../../domain/payments/deposit-record.js';
import { isSamePerson } from '../../../domain/people.js';
import type { StaffActKind } from '../../../domain/staff.js';
import {
  mayHaveLeft,
  type PayoutSendState,
  withdrawalAllows,
  type WithdrawalStatus,
} from '../../../domain/payments/withdrawal.js';
import { may, signsActs, type Viewer } from '../../viewer.js';
import type { PaymentRow } from './payment.js';

export interface Possibility {
  readonly possible: boolean;
  readonly why_not: WhyNot | null;
}

/** The first reason that is not null decides. */
export function possibility(...reasons: readonly (WhyNot | null)[]): Possibility {
  const why = reasons.find((reason) => reason !== null) ?? null;
  return { possible: why === null, why_not: why };
}

const CONFIRMED_CHARACTERS = 4;

/** What a person types before an act that moves money: the end of the payment's id, to confirm which payment it is. */
function confirmationOf(id: string): string {
  return id.slice(-CONFIRMED_CHARACTERS);
}

/** The same for people who confirm by typing; `null` for people who sign. */
export function typedFor(viewer: Viewer, id: string): string | null {
  return signsActs(viewer) ? null : confirmationOf(id);
}

/** Whether a person typed it. */
export function isConfirmed(id: string, typed: string | undefined): boolean {
  return typed?.toLowerCase() === confirmationOf(id).toLowerCase();
}

/** Approve, refuse and return, for a case. */
export function decisionPossibilities(viewer: Viewer, payment: PaymentRow) {
  const confirm = typedFor(viewer, payment.row.id);
  const why = payment.kind === 'deposit' ? depositReasons(viewer, payment.row) : withdrawalReasons(viewer, payment.row);
  return {
    approve: { ...possibility(...why.approve), confirm },
    refuse: possibility(...why.refuse),
    return: { ...possibility(...why.return), confirm },
  };
}

type Reasons = Readonly<Record<'approve' | 'refuse' | 'return', readonly (WhyNot | null)[]>>;

const otherState = (isOther: boolean): WhyNot | null => (isOther ? 'other_state' : null);

function role(viewer: Viewer, kind: StaffActKind, operationId: string): WhyNot | null {
  return may(viewer, kind, operationId) ? null : 'not_your_role';
}

function depositReasons(viewer: Viewer, row: Extract<PaymentRow, { kind: 'deposit' }>['row']): Reasons {
  const status = row.status as DepositStatus;
  const request = row.returnRequest as unknown as ReturnRequest | null;
  const isOwn = request?.of === row.endToEndId;
  const isDifferent = row.reviewReasons.includes('AMOUNT_MISMATCH') || !row.returnedMinor.isZero() || row.returnInDoubt;
  return {
    approve: [
      otherState(!depositAllows('approve', status)),
      request !== null && isOwn ? 'return_under_way' : null,
      isDifferent ? 'amount_mismatch' : null,
      role(viewer, 'deposit.approve', row.operationId),
    ],
    refuse: ['other_state'],
    // One return of a deposit is under way at a time.
    return: [
      otherState(!depositAllows('return', status)),
      request === null ? null : 'return_under_way',
      role(viewer, 'deposit.return', row.operationId),
    ],
  };
}

function withdrawalReasons(viewer: Viewer, row: Extract<PaymentRow, { kind: 'withdrawal' }>['row']): Reasons {
  const status = row.status as WithdrawalStatus;
  const decided = row.decidedBy as unknown as readonly ReviewDecision[];
  const isApproved = decided.some(({ person }) => isSamePerson(person, viewer.handle));
  return {
    approve: [
      otherState(!withdrawalAllows('approve', status)),
      row.judgement === 'refused' ? 'refused_by_rules' : null,
      isApproved ? 'approved_before' : null,
      role(viewer, 'withdrawal.approve', row.operationId),
    ],
    refuse: [otherState(!withdrawalAllows('refuse', status)), role(viewer, 'withdrawal.refuse', row.operationId)],
    return: ['other_state'],
  };
}

/** Acts that are safe for any payment. None of them makes it paid. */
export function paymentPossibilities(viewer: Viewer, payment: PaymentRow, send: PayoutSendState | null) {
  const { kind, row } = payment;
  const { operationId, status, id } = row;
  const hasLeft = send !== null && mayHaveLeft(send);
  const isCancellable =
    kind === 'deposit'
      ? depositAllows('cancel', status as DepositStatus)
      : withdrawalAllows('cancel', status as WithdrawalStatus);
  const isLost = kind === 'withdrawal' && ((status === 'approved' && send === 'claimed') || status === 'processing');
  return {
    // A charge that was never made, and a payout that never left, have nothing to be looked up.
    look_up: possibility(
      otherState(kind === 'deposit' ? status === 'created' : !hasLeft),
      role(viewer, 'workflow.refresh', operationId),
    ),
    redeliver: possibility(role(viewer, 'event.redeliver', operationId)),
    cancel: possibility(
      otherState(!isCancellable),
      hasLeft ? 'send_has_left' : null,
      role(viewer, `${kind}.cancel`, operationId),
    ),
    write_off: {
      ...possibility(isLost ? null : 'not_lost', role(viewer, 'withdrawal.write_off', operationId)),
      confirm: typedFor(viewer, id),
    },
  };
}
