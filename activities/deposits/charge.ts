// Requests the charge of a deposit until the provider answers, and stores it once.
import type { PaymentRef } from '../../contract/temporal/payment-steps.js';
import { chargeAnswered, type ChargeResult } from '../../domain/deposit-acts.js';
import type { KeptDeposit } from '../../store/deposits/read.js';
import { answerOf, assertPermitted, decideAndStore, questionOf, readBy, readExisting } from './deciding.js';
import type { DepositDependencies } from './ports.js';
import type { StoredDeposit } from './types.js';

/** An inconclusive answer of the provider, or a refused permission to call it, is a retryable failure. */
export async function createCharge(dependencies: DepositDependencies, ref: PaymentRef): Promise<StoredDeposit> {
  const { deposits, charges, environment } = dependencies;
  const kept = await readExisting(deposits, ref);
  if (kept.snapshot.status !== 'created') return answerOf(kept);
  await assertPermitted(deposits, 'charge', ref, await deposits.permitCharge(kept, environment));
  const result = await charges.createCharge(questionOf(kept, ref.at));
  return storeCharge(dependencies, ref, result, kept);
}

export async function storeCharge(
  { deposits, charges }: DepositDependencies,
  ref: PaymentRef,
  result: ChargeResult,
  first: KeptDeposit,
): Promise<StoredDeposit> {
  const contract = charges.contractOf(first.snapshot);
  const decide = (read: KeptDeposit) => ({ outcome: null, change: readBy(contract, chargeAnswered(read, result)) });
  const { kept } = await decideAndStore(deposits, ref, decide, { first });
  return answerOf(kept);
}
