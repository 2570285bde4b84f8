// A withdrawal's record in any state, for the tests of pure functions.
import type { WithdrawalRecord } from '../../../domain/payments/withdrawal-record.js';
import type { WithdrawalDecision, WithdrawalStatus } from '../../../domain/payments/withdrawal.js';

export function recordIn(status: WithdrawalStatus, decision: Partial<WithdrawalDecision> = {}): WithdrawalRecord {
  return {
    snapshot: {
      id: 'wdr_1',
      operationId: 'op_1',
      externalId: 'ext-1',
      status,
      version: 1,
      amountMinor: 3000n,
      currency: 'BRL',
      feeMinor: null,
      method: 'pix',
      playerRef: 'player-1',
      provider: 'simulator',
      decision: { mode: 'manual', reasons: [], ruleSetVersion: 1, decidedBy: [], decidedAt: null, ...decision },
      pspReference: null,
      failureCode: null,
      createdAt: '2026-11-21T12:00:00.000Z',
      updatedAt: '2026-11-21T12:00:00.000Z',
      paidAt: null,
    },
    revision: 1,
    keyOwner: 'not_asked',
    lookupEndToEndId: null,
    judgement: 'passed',
    send: null,
    returnedParts: [],
  };
}
