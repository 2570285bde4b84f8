// The acts of people and callers on a deposit. An act that is stored already gets the same answer as the first time.
import type { ActRef, Loaded, PaymentRef } from '../../../contract/temporal/payment-steps.js';
import { expiryOf } from '../../../domain/payments/deposit.js';
import type { PersonAct } from '../../../domain/payments/act-result.js';
import {
  approve,
  cancel,
  cancelByStaff,
  type DepositActResult,
  expire,
  requestReturn,
} from '../../../domain/payments/deposit-acts.js';
import type { DepositChange, DepositRecord } from '../../../domain/payments/deposit-record.js';
import type { StaffAct } from '../../../domain/staff.js';
import type { DepositRow } from '../../../store/payments/deposit/read.js';
import { assertReached, forged } from '../../forged.js';
import { noticingInvented } from '../proven.js';
import { decideAndStore, decisionOf } from '../step.js';
import { answerOf } from './answers.js';
import type { DepositDependencies, DepositStore } from './ports.js';
import type { DepositActed, StoredDeposit } from './types.js';

export async function loadDeposit({ deposits }: DepositDependencies, ref: PaymentRef): Promise<StoredDeposit & Loaded> {
  const row = await noticingInvented(deposits, ref, () => deposits.read(ref));
  const { id, operationId } = ref;
  const { operationName, provider, amountMinor } = row.order;
  const { clock } = row;
  const context = { id, operationId, operationName, provider, amountMinor, operatorReasons: 0 };
  return { ...answerOf(row), context, ...(clock == null ? {} : { clock }) };
}

export function cancelDeposit({ deposits }: DepositDependencies, ref: PaymentRef): Promise<DepositActed> {
  return act(deposits, ref, ({ record }) => cancel(record));
}

export function cancelDepositByStaff({ deposits }: DepositDependencies, ref: ActRef): Promise<DepositActed> {
  return personalAct(deposits, ref, cancelByStaff);
}

export function expireDeposit({ deposits }: DepositDependencies, ref: PaymentRef): Promise<DepositActed> {
  return act(deposits, ref, ({ record }) => {
    const expired = expire(record, ref.seenVersion);
    if (typeof expired !== 'string')
      assertReached(expiryOf(record.snapshot), ref.at, 'the deposit has not expired yet');
    return expired;
  });
}

export function expireDepositNow({ deposits }: DepositDependencies, ref: PaymentRef): Promise<DepositActed> {
  return act(deposits, ref, ({ record, order }) => {
    if (order.environment !== 'sandbox') throw forged('only in the sandbox a deposit expires before its time');
    return expire(record, ref.seenVersion);
  });
}

export function approveDeposit({ deposits }: DepositDependencies, ref: ActRef): Promise<DepositActed> {
  return personalAct(deposits, ref, approve);
}

export function askForReturn({ deposits }: DepositDependencies, ref: ActRef): Promise<DepositActed> {
  return personalAct(deposits, ref, requestReturn);
}

function personalAct(
  deposits: DepositStore,
  { actId, ...ref }: ActRef,
  decide: (record: DepositRecord, act: PersonAct) => DepositActResult,
): Promise<DepositActed> {
  return act(deposits, ref, ({ record }, stored) => decide(record, { actId, stored, at: ref.at }), actId);
}

async function act(
  deposits: DepositStore,
  ref: PaymentRef,
  decide: (row: DepositRow, stored: StaffAct | null) => DepositActResult,
  actId: string | null = null,
): Promise<DepositActed> {
  const decided = (read: DepositRow, stored: StaffAct | null) =>
    decisionOf<DepositChange, Exclude<DepositActed['outcome'], 'done'>>(decide(read, stored));
  const { row, outcome } = await decideAndStore(deposits, ref, decided, { actId });
  return { ...answerOf(row), outcome };
}
