// The acts of people and callers on a deposit. An act that is stored already gets the same answer as the first time.
import type { ActRef, Loaded, PaymentRef } from '../../../contract/temporal/payment-steps.js';
import { expiryOf } from '../../../domain/payments/deposit.js';
import {
  approve,
  cancel,
  cancelByStaff,
  type DepositActResult,
  expire,
  requestReturn,
} from '../../../domain/payments/deposit-acts.js';
import type { DepositRecord } from '../../../domain/payments/deposit-record.js';
import type { PersonAct } from '../../../domain/staff.js';
import type { DepositRow } from '../../../store/payments/deposit/read.js';
import { assertReached, forged } from '../../forged.js';
import { actOn, load, personActOn } from '../step.js';
import type { DepositActed, StoredDeposit } from '../types.js';
import { answerOf, type DepositDependencies, type DepositStore } from './ports.js';

export async function loadDeposit({ deposits }: DepositDependencies, ref: PaymentRef): Promise<StoredDeposit & Loaded> {
  const { row, loaded } = await load(deposits, ref);
  return { ...answerOf(row), ...loaded };
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

async function personalAct(
  deposits: DepositStore,
  ref: ActRef,
  decide: (record: DepositRecord, act: PersonAct) => DepositActResult,
): Promise<DepositActed> {
  const { row, outcome } = await personActOn(deposits, ref, decide);
  return { ...answerOf(row), outcome };
}

async function act(
  deposits: DepositStore,
  ref: PaymentRef,
  decide: (row: DepositRow) => DepositActResult,
): Promise<DepositActed> {
  const { row, outcome } = await actOn(deposits, ref, decide);
  return { ...answerOf(row), outcome };
}
