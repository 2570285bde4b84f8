// What people and callers ask of a deposit. An act that is stored already answers as it did the first time.
import type { Act, PaymentContext, PaymentRef } from '../../contract/temporal/payment-steps.js';
import { type Acted, approve, cancel, expire, requestReturn } from '../../domain/deposit-acts.js';
import type { KeptDeposit } from '../../store/deposits/read.js';
import { openedAct } from '../opened-act.js';
import { answerOf, decideAndStore, readExisting } from './deciding.js';
import type { DepositBooks, DepositDependencies } from './ports.js';
import type { DepositActed, StoredDeposit } from './types.js';

export async function loadDeposit(
  { books }: DepositDependencies,
  ref: PaymentRef,
): Promise<StoredDeposit & { readonly context: PaymentContext }> {
  const reading = await readExisting(books, ref);
  const { snapshot, operationName } = reading.kept;
  const { id, operationId, provider, amountMinor } = snapshot;
  const context = { id, operationId, operationName, provider, amountMinor, operatorReasons: 0 };
  return { ...answerOf(reading), context };
}

export function cancelDeposit({ books }: DepositDependencies, ref: PaymentRef): Promise<DepositActed> {
  return act(books, ref, cancel);
}

export function expireDeposit({ books }: DepositDependencies, ref: PaymentRef): Promise<DepositActed> {
  return act(books, ref, (kept) => expire(kept, ref.seenVersion));
}

export async function approveDeposit(
  { books, sealer }: DepositDependencies,
  ref: PaymentRef & { readonly act: Act },
): Promise<DepositActed> {
  const personal = { ...openedAct(sealer, ref.act), at: ref.at };
  return act(books, ref, (kept) => approve(kept, personal));
}

export async function askForReturn(
  { books, sealer }: DepositDependencies,
  ref: PaymentRef & { readonly act: Act },
): Promise<DepositActed> {
  const personal = { ...openedAct(sealer, ref.act), at: ref.at };
  return act(books, ref, (kept) => requestReturn(kept, personal));
}

async function act(books: DepositBooks, ref: PaymentRef, decide: (kept: KeptDeposit) => Acted): Promise<DepositActed> {
  const { reading, outcome } = await decideAndStore(books, ref, (kept) => {
    const acted = decide(kept);
    return { outcome: acted.kind, change: acted.kind === 'change' ? acted.change : null };
  });
  return { ...answerOf(reading), outcome: outcome === 'change' ? 'done' : outcome };
}
