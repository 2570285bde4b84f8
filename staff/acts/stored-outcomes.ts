// The outcome of an act that was done, as the payment's row has it: for a person whom its workflow could not answer.
import type { DepositActionOutcome } from '../../contract/temporal/deposit.js';
import type { WithdrawalActionOutcome, WriteOffOutcome } from '../../contract/temporal/withdrawal.js';
import type { WithdrawalSnapshot } from '../../domain/withdrawal.js';
import { lapseOf } from '../../domain/write-off.js';
import type { Database } from '../../store/database.js';
import { depositSnapshot, findDeposit, isReturning } from '../../store/deposits/rows.js';
import { findWithdrawal, withdrawalSnapshot } from '../../store/withdrawals/rows.js';
import type { UnderWay } from './workflow-updates.js';

/** An act that was used up, and the payment that it is about. */
export interface DoneAct {
  readonly actId: string;
  readonly operationId: string;
  readonly subjectId: string;
}

/** A return is stored before the provider makes it: until then it is under way. A refused one leaves the review. */
export async function storedDepositOutcome(
  database: Database,
  { actId, operationId, subjectId }: DoneAct,
): Promise<DepositActionOutcome | UnderWay> {
  const row = await findDeposit(database, operationId, subjectId);
  if (row === null) throw gone(actId);
  const deposit = depositSnapshot(row);
  if (deposit.status !== 'under_review') return { kind: 'done', deposit };
  return (await isReturning(database, subjectId)) ? { kind: 'under_way' } : { kind: 'invalid_state', deposit };
}

/** Also `done` where another person must approve too. */
export async function storedWithdrawalOutcome(database: Database, act: DoneAct): Promise<WithdrawalActionOutcome> {
  return { kind: 'done', withdrawal: await storedWithdrawal(database, act) };
}

export async function storedWriteOffOutcome(database: Database, act: DoneAct): Promise<WriteOffOutcome> {
  const withdrawal = await storedWithdrawal(database, act);
  const stored = withdrawal.writeOffs?.find(({ actId }) => actId === act.actId);
  if (stored === undefined) throw gone(act.actId);
  switch (stored.decision) {
    case 'request_conclusion':
      return { kind: 'requested', withdrawal, lapsesAt: lapseOf(stored) };
    case 'confirm_conclusion':
      return { kind: 'written_off', withdrawal };
  }
}

async function storedWithdrawal(
  database: Database,
  { actId, operationId, subjectId }: DoneAct,
): Promise<WithdrawalSnapshot> {
  const row = await findWithdrawal(database, operationId, subjectId);
  if (row === null) throw gone(actId);
  return withdrawalSnapshot(row);
}

function gone(actId: string): Error {
  return new Error(`act ${actId} was done, and the row does not have it`);
}
