// Requests the charge of a deposit until the provider answers, and stores it once.
import type { PaymentRef } from '../../contract/temporal/payment-steps.js';
import { chargeAnswered, type ChargeResult } from '../../domain/deposit-acts.js';
import type { DepositReading } from '../../store/deposits/read.js';
import { answerOf, assertPermitted, decideAndStore, orderOf, readBy, readExisting } from './deciding.js';
import type { DepositDependencies } from './ports.js';
import type { StoredDeposit } from './types.js';

/** An inconclusive answer of the provider, or a refused permission to call it, is a retryable failure. */
export async function createCharge(dependencies: DepositDependencies, ref: PaymentRef): Promise<StoredDeposit> {
  const { deposits, charges, environment } = dependencies;
  const reading = await readExisting(deposits, ref);
  if (reading.kept.snapshot.status !== 'created') return answerOf(reading);
  await assertPermitted(deposits, 'charge', ref, await deposits.permitCharge(reading.kept, environment));
  const result = await charges.createCharge({ order: orderOf(reading.kept) });
  return storeCharge(dependencies, ref, result, reading);
}

export async function storeCharge(
  { deposits, charges }: DepositDependencies,
  ref: PaymentRef,
  result: ChargeResult,
  first: DepositReading,
): Promise<StoredDeposit> {
  const contract = charges.contractOf(first.kept.snapshot);
  const decide = (kept: DepositReading['kept']) => ({
    outcome: null,
    change: readBy(contract, chargeAnswered(kept, result)),
  });
  const { reading } = await decideAndStore(deposits, ref, decide, { first });
  return answerOf(reading);
}
