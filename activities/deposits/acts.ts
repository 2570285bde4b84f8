// The acts of people and callers on a deposit. An act that is stored already gets the same answer as the first time.
import type { ActRef, PaymentContext, PaymentRef } from '../../contract/temporal/payment-steps.js';
import { expiryOf } from '../../domain/deposit.js';
import { type Acted, approve, cancel, expire, type PersonalAct, requestReturn } from '../../domain/deposit-acts.js';
import type { StaffAct } from '../../domain/staff.js';
import type { KeptDeposit } from '../../store/deposits/read.js';
import { assertReached, forged } from '../forged.js';
import { noticingInvented } from '../payments/proven.js';
import { answerOf, decideAndStore, readExisting } from './deciding.js';
import type { DepositBooks, DepositDependencies } from './ports.js';
import type { DepositActed, StoredDeposit } from './types.js';

export async function loadDeposit(
  { books }: DepositDependencies,
  ref: PaymentRef,
): Promise<StoredDeposit & { readonly context: PaymentContext }> {
  const reading = await noticingInvented(books, ref, () => readExisting(books, ref));
  const { snapshot, operationName } = reading.kept;
  const { id, operationId, provider, amountMinor } = snapshot;
  const context = { id, operationId, operationName, provider, amountMinor, operatorReasons: 0 };
  return { ...answerOf(reading), context };
}

export function cancelDeposit({ books }: DepositDependencies, ref: PaymentRef): Promise<DepositActed> {
  return act(books, ref, cancel);
}

export function expireDeposit({ books }: DepositDependencies, ref: PaymentRef): Promise<DepositActed> {
  return act(books, ref, (kept) => {
    const expired = expire(kept, ref.seenVersion);
    if (expired.kind === 'change') assertReached(expiryOf(kept.snapshot), ref.at, 'the deposit has not expired yet');
    return expired;
  });
}

export function expireDepositNow({ books }: DepositDependencies, ref: PaymentRef): Promise<DepositActed> {
  return act(books, ref, (kept) => {
    if (kept.environment !== 'sandbox') throw forged('only in the sandbox a deposit expires before its time');
    return expire(kept, ref.seenVersion);
  });
}

export function approveDeposit({ books }: DepositDependencies, ref: ActRef): Promise<DepositActed> {
  return personalAct(books, ref, approve);
}

export function askForReturn({ books }: DepositDependencies, ref: ActRef): Promise<DepositActed> {
  return personalAct(books, ref, requestReturn);
}

function personalAct(
  books: DepositBooks,
  { actId, ...ref }: ActRef,
  decide: (kept: KeptDeposit, act: PersonalAct) => Acted,
): Promise<DepositActed> {
  return act(books, ref, (kept, stored) => decide(kept, { actId, stored, at: ref.at }), actId);
}

async function act(
  books: DepositBooks,
  ref: PaymentRef,
  decide: (kept: KeptDeposit, stored: StaffAct | null) => Acted,
  actId: string | null = null,
): Promise<DepositActed> {
  const decided = (kept: KeptDeposit, stored: StaffAct | null) => {
    const acted = decide(kept, stored);
    return { outcome: acted.kind, change: acted.kind === 'change' ? acted.change : null };
  };
  const { reading, outcome } = await decideAndStore(books, ref, decided, { actId });
  return { ...answerOf(reading), outcome: outcome === 'change' ? 'done' : outcome };
}
