// A deposit in each state, for the tests of what follows.
import type { DepositSnapshot, DepositStatus } from '../../../domain/payments/deposit.js';
import type { DepositRecord } from '../../../domain/payments/deposit-record.js';

/** The clock of the decisions. */
export const AT = '2026-11-21T12:10:00.000Z';

const NEVER_PAID: readonly DepositStatus[] = ['created', 'pending', 'expired', 'cancelled', 'failed'];

/** States in which all of the payment has gone back. */
const GONE: readonly DepositStatus[] = ['returned', 'refunded', 'chargeback'];

/** R$ 50.00; paid by E1 in the states that follow a payment. */
export function recordIn(
  status: DepositStatus,
  change: Partial<DepositSnapshot> = {},
  more: Partial<Omit<DepositRecord, 'snapshot'>> = {},
): DepositRecord {
  const isPaid = !NEVER_PAID.includes(status);
  return {
    snapshot: {
      id: 'dep_1',
      operationId: 'op_1',
      externalId: 'order-1',
      status,
      version: 3,
      amountMinor: 5000n,
      currency: 'BRL',
      paidAmountMinor: isPaid ? 5000n : null,
      method: 'pix',
      playerRef: 'player-1',
      provider: 'simulator',
      instructions: null,
      failureCode: null,
      reviewReasons: status === 'under_review' ? ['PAYER_UNKNOWN'] : [],
      decidedBy: [],
      endToEndId: isPaid ? 'E1' : null,
      hasPayer: isPaid,
      latePayment: false,
      createdAt: '2026-11-21T12:00:00.000Z',
      updatedAt: '2026-11-21T12:05:00.000Z',
      paidAt: isPaid ? '2026-11-21T12:05:00.000Z' : null,
      expiresAt: '2026-11-21T12:30:00.000Z',
      ...change,
    },
    revision: 3,
    returnRequest: null,
    returns: 0,
    extraPayments: [],
    fees: {},
    returnedParts: GONE.includes(status) ? [{ of: 'E1', reference: 'R1', amountMinor: 5000n }] : [],
    suspenseCredits: {},
    isReturnInDoubt: false,
    ...more,
  };
}
