// What people and operators do to a withdrawal, and loading it for a new run of its process. An act that is stored
// already gets the same answer as the first time. A payout that was never answered, or never finished, is written off
// by the decisions of two people.
import type { ActRef, Loaded, PaymentRef } from '../../../contract/temporal/payment-steps.js';
import type { WithdrawalSnapshot } from '../../../domain/payments/withdrawal.js';
import {
  approve,
  cancel,
  cancelByStaff,
  refuse,
  type WithdrawalActResult,
} from '../../../domain/payments/withdrawal-acts.js';
import type { WithdrawalChange, WithdrawalRecord } from '../../../domain/payments/withdrawal-record.js';
import {
  isJustLookedUp,
  isWriteOffStatus,
  lapseOf,
  NO_LOOK_UPS,
  pendingRequest,
  WRITE_OFF_FAILURES,
  type WriteOffAct,
  type WriteOffGrounds,
  type WriteOffStatus,
  writeOffStep,
} from '../../../domain/payments/write-off.js';
import { displayedOperatorReasons } from '../../../domain/rules/operator-reasons.js';
import { permittedAct, type PersonAct, type StaffAct, usedAct } from '../../../domain/staff.js';
import type { WithdrawalRow } from '../../../store/payments/withdrawal/read.js';
import { operatorReasonsOf, type SealedWithdrawalOrder } from '../../../store/sealing/orders.js';
import { type Sealer, UnsealableError } from '../../../store/sealing/sealer.js';
import { actOn, decideAndStore, type Decision, load, personActOn, storeInTurn } from '../step.js';
import type { StoredWithdrawal, WithdrawalActed, WriteOffDecided } from '../types.js';
import { answerOf, type WithdrawalDependencies, type WithdrawalStore } from './ports.js';

export async function loadWithdrawal(
  { withdrawals, sealer }: WithdrawalDependencies,
  ref: PaymentRef,
): Promise<StoredWithdrawal & Loaded> {
  const { row, loaded } = await load(withdrawals, ref, ({ order }) => countOperatorReasons(sealer, order));
  return { ...answerOf(row, ref.at), ...loaded };
}

export async function cancelWithdrawal(
  { withdrawals }: WithdrawalDependencies,
  ref: PaymentRef,
): Promise<WithdrawalActed> {
  const { row, outcome } = await actOn(withdrawals, ref, ({ record }) => cancel(record));
  return { ...answerOf(row, ref.at), outcome };
}

export function cancelWithdrawalByStaff(
  { withdrawals }: WithdrawalDependencies,
  ref: ActRef,
): Promise<WithdrawalActed> {
  return personalAct(withdrawals, ref, cancelByStaff);
}

export function approveWithdrawal({ withdrawals }: WithdrawalDependencies, ref: ActRef): Promise<WithdrawalActed> {
  return personalAct(withdrawals, ref, approve);
}

export function refuseWithdrawal({ withdrawals }: WithdrawalDependencies, ref: ActRef): Promise<WithdrawalActed> {
  return personalAct(withdrawals, ref, refuse);
}

async function personalAct(
  withdrawals: WithdrawalStore,
  ref: ActRef,
  decide: (record: WithdrawalRecord, act: PersonAct) => WithdrawalActResult,
): Promise<WithdrawalActed> {
  const { row, outcome } = await personActOn(withdrawals, ref, decide);
  return { ...answerOf(row, ref.at), outcome };
}

/** Zero if the request can no longer be opened: only staff see the number, and the payment can still be cancelled. */
function countOperatorReasons(sealer: Sealer, order: SealedWithdrawalOrder): number {
  try {
    return displayedOperatorReasons(operatorReasonsOf(sealer, order)).length;
  } catch (error) {
    if (error instanceof UnsealableError) return 0;
    throw error;
  }
}

type Input = ActRef & { readonly isLookedUp: boolean };
type Outcome = WriteOffDecided['outcome'];

export async function decideWriteOff({ withdrawals }: WithdrawalDependencies, input: Input): Promise<WriteOffDecided> {
  const { actId, isLookedUp: _, ...ref } = input;
  const decide = (row: WithdrawalRow, act: StaffAct | null) => decisionBy(row, act, input);
  const { row, outcome } = await decideAndStore(withdrawals, ref, decide, { actId });
  if (outcome.kind !== 'written_off') return { ...answerOf(row, input.at), outcome };
  // The provider's written refusal counts as its first reply, which reports a failure.
  const written = await storeInTurn(withdrawals, input, row, ({ record: { snapshot } }) =>
    snapshot.status === 'processing' && isNeverAccepted(snapshot) ? failedAs('approved') : null,
  );
  return { ...answerOf(written, input.at), outcome };
}

function decisionBy(
  { record, readAt }: WithdrawalRow,
  asked: StaffAct | null,
  { actId, isLookedUp, at }: Input,
): Decision<Outcome, WithdrawalChange> {
  const { status, writeOffs = [] } = record.snapshot;
  const stored = writeOffs.find((act) => act.actId === actId);
  if (stored !== undefined) return { outcome: outcomeOf(stored), change: null };
  const grounds = groundsOf(record);
  const pending = pendingRequest(record.snapshot, at);
  if (isLookedUp && pending === null) return { outcome: { kind: 'lapsed' }, change: null };
  if (grounds === null || !isWriteOffStatus(status)) return { outcome: { kind: 'invalid_state' }, change: null };
  const others = pending === null ? [] : [pending.person];
  const permitted = permittedAct(asked, 'withdrawal.write_off', record.snapshot, others);
  if (typeof permitted === 'string') return { outcome: { kind: permitted }, change: null };
  const { handle: person, reason, evidence } = permitted;
  const step = writeOffStep({ person, evidence }, { grounds, pending, at });
  if (isLookedUp && step.kind !== 'confirm') return { outcome: { kind: 'lapsed' }, change: null };
  switch (step.kind) {
    case 'request': {
      const act: WriteOffAct = { actId, person, reason, evidence, at, status, decision: 'request_conclusion' };
      const uses = usedAct(permitted, 'withdrawal.write_off');
      const change = { trigger: null, fields: { writeOffs: [...writeOffs, act] }, uses };
      return { outcome: outcomeOf(act), change };
    }
    case 'confirm': {
      // The workflow claims that it looked the payout up; the row shows whether it did.
      if (!isLookedUp || !isJustLookedUp(record.send?.traceless ?? NO_LOOK_UPS, readAt))
        return { outcome: { kind: 'look_once_more' }, change: null };
      const act: WriteOffAct = { actId, person, reason, evidence, at, status, decision: 'confirm_conclusion' };
      const uses = usedAct(permitted, 'withdrawal.write_off', others);
      const confirmed = [...writeOffs, act];
      return { outcome: outcomeOf(act), change: { ...confirmedChange(status, confirmed), uses } };
    }
    case 'too_early':
      return { outcome: step, change: null };
    case 'same_person':
    case 'other_evidence':
      return { outcome: { kind: step.kind }, change: null };
  }
}

/** What must have passed before people may write it off; `null` if it is neither lost nor processing. */
function groundsOf({ snapshot, send }: WithdrawalRecord): WriteOffGrounds | null {
  if (snapshot.status === 'approved' && send?.state === 'claimed') return send.traceless;
  if (snapshot.status === 'processing' && send?.state === 'known') return { since: send.claimedAt, lookUps: null };
  return null;
}

/** The provider's written statement counts as its first reply, or as its result. */
function confirmedChange(status: WriteOffStatus, writeOffs: readonly WriteOffAct[]): WithdrawalChange {
  if (status === 'approved') return { trigger: 'provider_replied', fields: { writeOffs } };
  const failed = failedAs(status);
  return { ...failed, fields: { ...failed.fields, writeOffs } };
}

function failedAs(status: WriteOffStatus) {
  return { trigger: 'payout_failed', fields: { failureCode: WRITE_OFF_FAILURES[status] } } as const;
}

/** The second half of a write-off before the provider's first reply may have been lost. */
function isNeverAccepted({ writeOffs = [] }: WithdrawalSnapshot): boolean {
  const last = writeOffs.at(-1);
  return last?.decision === 'confirm_conclusion' && last.status === 'approved';
}

function outcomeOf(act: WriteOffAct): Outcome {
  switch (act.decision) {
    case 'request_conclusion':
      return { kind: 'requested', lapsesAt: lapseOf(act) };
    case 'confirm_conclusion':
      return { kind: 'written_off' };
  }
}
