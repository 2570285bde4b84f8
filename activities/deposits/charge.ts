// The charge of a deposit: requested until the provider answers, and stored once.
import type { PaymentRef } from '../../contract/temporal/payment-steps.js';
import { chargeAnswered, type ChargeResult } from '../../domain/deposit-acts.js';
import type { DepositReading } from '../../store/deposits/read.js';
import { inconclusive } from '../provider/charges.js';
import { answerOf, decideAndStore, orderOf, readBy, readExisting } from './deciding.js';
import type { DepositDependencies } from './ports.js';
import type { StoredDeposit } from './types.js';

/** An inconclusive answer of the provider, or a pause of it, is a retryable failure. */
export async function createCharge(dependencies: DepositDependencies, ref: PaymentRef): Promise<StoredDeposit> {
  const { books, charges } = dependencies;
  const reading = await readExisting(books, ref);
  if (reading.kept.snapshot.status !== 'created') return answerOf(reading);
  if (await books.isPaused(reading.kept.snapshot.provider)) throw inconclusive('provider_paused');
  const result = await charges.createCharge({ order: orderOf(reading.kept) });
  return storeCharge(dependencies, ref, result, reading);
}

export async function storeCharge(
  { books, charges }: DepositDependencies,
  ref: PaymentRef,
  result: ChargeResult,
  first: DepositReading,
): Promise<StoredDeposit> {
  const contract = charges.contractOf(first.kept.snapshot);
  const decide = (kept: DepositReading['kept']) => ({
    outcome: null,
    change: readBy(contract, chargeAnswered(kept, result)),
  });
  const { reading } = await decideAndStore(books, ref, decide, { first });
  return answerOf(reading);
}
