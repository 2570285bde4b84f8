// Requests the charge of a deposit until the provider answers, and stores it once.
import type { PaymentRef } from '../../../contract/temporal/payment-steps.js';
import { chargeAnswered, type ChargeResult } from '../../../domain/payments/deposit-acts.js';
import type { DepositRow } from '../../../store/payments/deposit/read.js';
import { assertPermitted } from '../permissions.js';
import { decideAndStore, readBy } from '../step.js';
import { answerOf, questionOf } from './answers.js';
import type { DepositDependencies } from './ports.js';
import type { StoredDeposit } from './types.js';

/** An inconclusive answer of the provider, or a refused permission to call it, is a retryable failure. */
export async function createCharge(dependencies: DepositDependencies, ref: PaymentRef): Promise<StoredDeposit> {
  const { deposits, charges, environment } = dependencies;
  const row = await deposits.read(ref);
  if (row.record.snapshot.status !== 'created') return answerOf(row);
  await assertPermitted(deposits, 'charge', ref, await deposits.permitCharge(row, environment));
  const result = await charges.createCharge(questionOf(row, ref.at));
  return storeCharge(dependencies, ref, result, row);
}

export async function storeCharge(
  { deposits, charges }: DepositDependencies,
  ref: PaymentRef,
  result: ChargeResult,
  first: DepositRow,
): Promise<StoredDeposit> {
  const contract = charges.contractOf(first.order);
  const decide = ({ record }: DepositRow) => ({
    outcome: null,
    change: readBy(contract, chargeAnswered(record, result)),
  });
  const { row } = await decideAndStore(deposits, ref, decide, { first });
  return answerOf(row);
}
