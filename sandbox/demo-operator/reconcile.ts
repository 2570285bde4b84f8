// The demo operator's check of a closed day: its own payments of that day against the gateway's signed list.
import {
  compareReconciliation,
  readReconciliationDay,
  reconciliationDigest,
  verifyReconciliationSignature,
} from '../../client/index.js';
import type { GatewayClient, OperatorRecord, ReconciliationDifference } from '../../client/index.js';
import type { PaymentView, StateView } from './view.js';

export interface DayOutcome {
  /** Whether the list is whole and signed by the gateway. */
  readonly isProven: boolean;
  /** Empty: both sides agree. */
  readonly differences: readonly ReconciliationDifference[];
}

/** Compares one day. Throws ProblemError for a day that is open, and NoAnswerError. */
export async function reconcileDay(
  gateway: GatewayClient,
  webhookSecrets: readonly string[],
  own: Pick<StateView, 'deposits' | 'withdrawals'>,
  day: { readonly date: string; readonly currency: string },
): Promise<DayOutcome> {
  const read = await readReconciliationDay(gateway, day);
  const digest = reconciliationDigest(read.items);
  const records = [...recordsOf('deposit', own.deposits, day), ...recordsOf('withdrawal', own.withdrawals, day)];
  return {
    isProven: digest === read.digest && verifyReconciliationSignature({ ...read, digest }, webhookSecrets),
    differences: compareReconciliation(read.items, records),
  };
}

function recordsOf(
  kind: string,
  payments: readonly PaymentView[],
  { date, currency }: { readonly date: string; readonly currency: string },
): OperatorRecord[] {
  return payments
    .filter(({ paid_at: paidAt, amount, money }) => {
      const isSettled = money === 'credited' || money === 'settled';
      return isSettled && amount.currency === currency && paidAt?.startsWith(date) === true;
    })
    .map(({ external_id, amount }) => ({ external_id, kind, amount: amount.amount }));
}
