// What the steps of a withdrawal answer.
import { approvalsGiven } from '../../../domain/payments/withdrawal-acts.js';
import { sendStateOf } from '../../../domain/payments/withdrawal-record.js';
import type { WithdrawalSnapshot } from '../../../domain/payments/withdrawal.js';
import { lapseOf, pendingRequest } from '../../../domain/payments/write-off.js';
import type { WithdrawalRow } from '../../../store/payments/withdrawal/read.js';
import type { StoredWithdrawal, WithdrawalState } from './types.js';

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
