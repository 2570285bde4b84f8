// The outcome of a person's act as the payment's row has it. What is answered through Temporal says at most why an act
// was not done.
import type {
  DepositActionOutcome,
  WithdrawalActionOutcome,
  WriteOffOutcome,
} from '../../contract/temporal/payment.js';
import type { DepositSnapshot } from '../../domain/payments/deposit.js';
import { STAFF_ACT_REFUSALS } from '../../domain/staff.js';
import type { WithdrawalSnapshot } from '../../domain/payments/withdrawal.js';
import { lapseOf, NO_LOOK_UPS, writeOffStep } from '../../domain/payments/write-off.js';
import type { Database } from '../../store/database.js';
import { DEPOSITS, depositSnapshot, isReturning } from '../../store/payments/deposit/read.js';
import { payoutSendOf } from '../../store/payments/withdrawal/payout-sends.js';
import { WITHDRAWALS, withdrawalSnapshot } from '../../store/payments/withdrawal/read.js';
import { NOT_IN_BOOKS, type UnderWay, type Unreached } from './workflow-updates.js';

/** An act, and the payment that it is about. */
export interface PaymentAct {
  readonly actId: string;
  readonly operationId: string;
  readonly subjectId: string;
}

/** What became of the acts of one kind. */
export interface StoredOutcomes<Outcome> {
  /** Of an act that was used up. */
  readonly done: (database: Database, act: PaymentAct) => Promise<Outcome | UnderWay>;
  /** Of one that was not, with the answer that says why. */
  readonly refused: (database: Database, act: PaymentAct, answer: Outcome) => Promise<Outcome | Unreached>;
}

/** A return is stored before the provider makes it: until then it is under way. A refused one leaves the review. */
export const DEPOSIT_OUTCOMES: StoredOutcomes<DepositActionOutcome> = {
  async done(database, act) {
    const deposit = await storedDeposit(database, act);
    if (deposit.status !== 'under_review') return { kind: 'done', snapshot: deposit };
    return (await isReturning(database, act)) ? { kind: 'under_way' } : { kind: 'invalid_state', snapshot: deposit };
  },
  async refused(database, act, { kind }) {
    return isOneOf(kind, DEPOSIT_REFUSALS) ? { kind, snapshot: await storedDeposit(database, act) } : NOT_IN_BOOKS;
  },
};

/** Also `done` where another person must approve too. */
export const WITHDRAWAL_OUTCOMES: StoredOutcomes<WithdrawalActionOutcome> = {
  async done(database, act) {
    return { kind: 'done', snapshot: await storedWithdrawal(database, act) };
  },
  async refused(database, act, { kind }) {
    return isOneOf(kind, WITHDRAWAL_REFUSALS)
      ? { kind, snapshot: await storedWithdrawal(database, act) }
      : NOT_IN_BOOKS;
  },
};

export const WRITE_OFF_OUTCOMES: StoredOutcomes<WriteOffOutcome> = {
  async done(database, act) {
    const withdrawal = await storedWithdrawal(database, act);
    const stored = withdrawal.writeOffs?.find(({ actId }) => actId === act.actId);
    if (stored === undefined) throw gone(act.actId);
    switch (stored.decision) {
      case 'request_conclusion':
        return { kind: 'requested', snapshot: withdrawal, lapsesAt: lapseOf(stored) };
      case 'confirm_conclusion':
        return { kind: 'written_off', snapshot: withdrawal };
    }
  },
  async refused(database, act, { kind }) {
    const withdrawal = await storedWithdrawal(database, act);
    if (kind === 'too_early') return (await tooEarly(database, withdrawal)) ?? NOT_IN_BOOKS;
    return isOneOf(kind, WRITE_OFF_REFUSALS) ? { kind, snapshot: withdrawal } : NOT_IN_BOOKS;
  },
};

const ACT_REFUSALS = Object.keys(STAFF_ACT_REFUSALS) as (keyof typeof STAFF_ACT_REFUSALS)[];
const DEPOSIT_REFUSALS = [...ACT_REFUSALS, 'invalid_state', 'provider_silent'] as const;
const WITHDRAWAL_REFUSALS = [
  ...ACT_REFUSALS,
  'invalid_state',
  'same_person',
  'rules_unavailable',
  'refused_by_rules',
] as const;
const WRITE_OFF_REFUSALS = [
  ...ACT_REFUSALS,
  'invalid_state',
  'lapsed',
  'provider_silent',
  'same_person',
  'other_evidence',
] as const;

function isOneOf<Kind extends string>(kind: string, kinds: readonly Kind[]): kind is Kind {
  return (kinds as readonly string[]).includes(kind);
}

/** `null` if the row's look-ups are enough by now. */
async function tooEarly(
  database: Database,
  withdrawal: WithdrawalSnapshot,
): Promise<Extract<WriteOffOutcome, { kind: 'too_early' }> | null> {
  const send = await payoutSendOf(database, withdrawal.id);
  const grounds =
    withdrawal.status === 'processing'
      ? { since: send?.claimedAt?.toISOString() ?? null, lookUps: null }
      : { since: send?.tracelessSince?.toISOString() ?? null, lookUps: send?.tracelessLookUps ?? NO_LOOK_UPS.lookUps };
  const at = new Date().toISOString();
  const step = writeOffStep({ person: '', evidence: '' }, { grounds, pending: null, at });
  return step.kind === 'too_early' ? { ...step, snapshot: withdrawal } : null;
}

async function storedDeposit(
  database: Database,
  { actId, operationId, subjectId }: PaymentAct,
): Promise<DepositSnapshot> {
  const row = await DEPOSITS.find(database, operationId, subjectId);
  if (row === null) throw gone(actId);
  return depositSnapshot(row);
}

async function storedWithdrawal(
  database: Database,
  { actId, operationId, subjectId }: PaymentAct,
): Promise<WithdrawalSnapshot> {
  const row = await WITHDRAWALS.find(database, operationId, subjectId);
  if (row === null) throw gone(actId);
  return withdrawalSnapshot(row);
}

function gone(actId: string): Error {
  return new Error(`the row does not have act ${actId}`);
}
