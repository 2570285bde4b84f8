// What the steps of a withdrawal need (its rows, the rules, the provider, and the keys of sealed values), and what they
// answer.
import type { PermissionRefusal } from '../../../domain/payments/permissions.js';
import type { WithdrawalSnapshot } from '../../../domain/payments/withdrawal.js';
import { approvalsGiven } from '../../../domain/payments/withdrawal-acts.js';
import { sendStateOf, type WithdrawalChange } from '../../../domain/payments/withdrawal-record.js';
import { lapseOf, pendingRequest } from '../../../domain/payments/write-off.js';
import type { InsertedWithdrawal, WithdrawalInsertion } from '../../../store/payments/withdrawal/insert.js';
import type { PayoutAttempt } from '../../../store/payments/withdrawal/payout-sends.js';
import type { WithdrawalRow } from '../../../store/payments/withdrawal/read.js';
import type { DecisionRecord } from '../../../store/rules/decisions.js';
import type { BriefCalls } from '../../provider/brief-calls.js';
import type { PayoutCalls } from '../../provider/payouts.js';
import type { PaymentStore, StepDependencies } from '../step.js';
import type { StoredWithdrawal, WithdrawalState } from '../types.js';
import type { Clocks } from './deadline.js';

/** Withdrawals as they are stored. Every write compares the row with what was read. */
export interface WithdrawalStore extends PaymentStore<WithdrawalRow, WithdrawalChange> {
  insert(input: WithdrawalInsertion): Promise<InsertedWithdrawal>;
  /** Stores that the checks before the send passed. `null` if the withdrawal changed since it was read. */
  clear(row: WithdrawalRow, decision: DecisionRecord | null): Promise<WithdrawalRow | null>;
  /** Takes the permission to send, or returns why it is refused. */
  claim(row: WithdrawalRow, attempt: PayoutAttempt): Promise<WithdrawalRow | PermissionRefusal>;
  /** Whether a block list, the operation or a pause of the provider forbids the send by now. */
  isForbidden(row: WithdrawalRow): Promise<boolean>;
  /**
   * Stores that the attempt, which asked for the permission of the withdrawal as it was read, sent nothing. It has no
   * permission after that, and gets none.
   */
  giveBack(row: WithdrawalRow, attempt: string): Promise<void>;
  /**
   * Stores that a look-up found nothing. `false` if the withdrawal changed since it was read, or its send is no longer
   * open.
   */
  countTraceless(row: WithdrawalRow, lookUp: { readonly at: string; readonly isTraced: boolean }): Promise<boolean>;
  /** Stores that a look-up found it still processing. `false` if the withdrawal changed since it was read. */
  noteUnfinished(row: WithdrawalRow): Promise<boolean>;
}

export interface WithdrawalDependencies extends StepDependencies {
  readonly withdrawals: WithdrawalStore;
  readonly payouts: PayoutCalls;
  /** Separate limits: a provider whose key directory is slow may still answer look-ups. */
  readonly brief: { readonly keyOwners: BriefCalls; readonly lookUps: BriefCalls };
  readonly clocks: Clocks;
}

/** The part of a step's answer that the process adopts. */
export function answerOf({ record }: WithdrawalRow, at: string): StoredWithdrawal {
  const { snapshot, judgement, keyOwner } = record;
  const { decision } = snapshot;
  const request = pendingRequest(snapshot, at);
  const state: WithdrawalState = {
    snapshot: withoutPeople(snapshot),
    proof: null,
    approvals: approvalsGiven(decision),
    judgement,
    keyOwner,
    send: sendStateOf(record),
    writeOffLapsesAt: request === null ? null : lapseOf(request),
    revision: record.revision,
  };
  return { state };
}

/** The people who decided, and their reasons, stay in PostgreSQL: histories hold no names and no free text. */
function withoutPeople({ writeOffs: _, ...snapshot }: WithdrawalSnapshot): WithdrawalSnapshot {
  return { ...snapshot, decision: { ...snapshot.decision, decidedBy: [] } };
}
