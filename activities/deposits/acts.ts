// The acts of people and callers on a deposit. An act that is stored already gets the same answer as the first time.
import type { ActRef, Loaded, PaymentRef } from '../../contract/temporal/payment-steps.js';
import { expiryOf } from '../../domain/deposit.js';
import {
  type DepositActResult,
  approve,
  cancel,
  cancelByStaff,
  expire,
  type PersonalAct,
  requestReturn,
} from '../../domain/deposit-acts.js';
import type { StaffAct } from '../../domain/staff.js';
import type { KeptDeposit } from '../../store/deposits/read.js';
import { assertReached, forged } from '../forged.js';
import { noticingInvented } from '../payments/proven.js';
import { answerOf, decideAndStore, readExisting } from './deciding.js';
import type { DepositStore, DepositDependencies } from './ports.js';
import type { DepositActed, StoredDeposit } from './types.js';

export async function loadDeposit({ deposits }: DepositDependencies, ref: PaymentRef): Promise<StoredDeposit & Loaded> {
  const kept = await noticingInvented(deposits, ref, () => readExisting(deposits, ref));
  const { snapshot, operationName, clock } = kept;
  const { id, operationId, provider, amountMinor } = snapshot;
  const context = { id, operationId, operationName, provider, amountMinor, operatorReasons: 0 };
  return { ...answerOf(kept), context, ...(clock == null ? {} : { clock }) };
}

export function cancelDeposit({ deposits }: DepositDependencies, ref: PaymentRef): Promise<DepositActed> {
  return act(deposits, ref, cancel);
}

export function cancelDepositByStaff({ deposits }: DepositDependencies, ref: ActRef): Promise<DepositActed> {
  return personalAct(deposits, ref, cancelByStaff);
}

export function expireDeposit({ deposits }: DepositDependencies, ref: PaymentRef): Promise<DepositActed> {
  return act(deposits, ref, (kept) => {
    const expired = expire(kept, ref.seenVersion);
    if (expired.kind === 'change') assertReached(expiryOf(kept.snapshot), ref.at, 'the deposit has not expired yet');
    return expired;
  });
}

export function expireDepositNow({ deposits }: DepositDependencies, ref: PaymentRef): Promise<DepositActed> {
  return act(deposits, ref, (kept) => {
    if (kept.environment !== 'sandbox') throw forged('only in the sandbox a deposit expires before its time');
    return expire(kept, ref.seenVersion);
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
  decide: (kept: KeptDeposit, act: PersonalAct) => DepositActResult,
): Promise<DepositActed> {
  return act(deposits, ref, (kept, stored) => decide(kept, { actId, stored, at: ref.at }), actId);
}

async function act(
  deposits: DepositStore,
  ref: PaymentRef,
  decide: (kept: KeptDeposit, stored: StaffAct | null) => DepositActResult,
  actId: string | null = null,
): Promise<DepositActed> {
  const decided = (kept: KeptDeposit, stored: StaffAct | null) => {
    const acted = decide(kept, stored);
    return { outcome: acted.kind, change: acted.kind === 'change' ? acted.change : null };
  };
  const { kept, outcome } = await decideAndStore(deposits, ref, decided, { actId });
  return { ...answerOf(kept), outcome: outcome === 'change' ? 'done' : outcome };
}
