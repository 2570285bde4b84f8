// Snapshots of payments for tests.
import type { DepositSnapshot } from '../../../domain/payments/deposit.js';
import type { WithdrawalSnapshot } from '../../../domain/payments/withdrawal.js';

export function depositSnapshotOf(changes: Partial<DepositSnapshot>): DepositSnapshot {
  return {
    id: 'dep_00000000000000000000000000000001',
    operationId: 'op_test',
    externalId: 'order-1',
    status: 'pending',
    version: 2,
    amountMinor: 5000n,
    currency: 'BRL',
    paidAmountMinor: null,
    method: 'pix',
    playerRef: 'player-1',
    provider: 'simulator',
    instructions: null,
    failureCode: null,
    reviewReasons: [],
    decidedBy: [],
    endToEndId: null,
    hasPayer: false,
    latePayment: false,
    createdAt: '2026-11-21T12:00:00.000Z',
    updatedAt: '2026-11-21T12:00:00.000Z',
    paidAt: null,
    expiresAt: '2026-11-21T12:30:00.000Z',
    ...changes,
  };
}

export function withdrawalSnapshotOf(changes: Partial<WithdrawalSnapshot>): WithdrawalSnapshot {
  return {
    id: 'wdr_00000000000000000000000000000001',
    operationId: 'op_test',
    externalId: 'payout-1',
    status: 'under_review',
    version: 1,
    amountMinor: 3000n,
    currency: 'BRL',
    feeMinor: null,
    method: 'pix',
    playerRef: 'player-1',
    provider: 'simulator',
    decision: { mode: 'manual', reasons: ['FIRST_WITHDRAWAL'], ruleSetVersion: 1, decidedBy: [], decidedAt: null },
    pspReference: null,
    failureCode: null,
    createdAt: '2026-11-21T12:00:00.000Z',
    updatedAt: '2026-11-21T12:00:00.000Z',
    paidAt: null,
    ...changes,
  };
}
