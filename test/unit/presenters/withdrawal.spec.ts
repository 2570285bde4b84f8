// How a withdrawal is shown: the operator's own reasons stand behind the codes of a review, and nowhere else.
import assert from 'node:assert/strict';
import { presentWithdrawal } from '../../../contract/http/presenters.js';
import type { WithdrawalSnapshot } from '../../../domain/payments/withdrawal.js';

function snapshot(reasons: readonly string[]): WithdrawalSnapshot {
  const at = '2026-11-21T12:00:00.000Z';
  return {
    id: 'wdr_1',
    operationId: 'op_1',
    externalId: 'order-1',
    status: reasons.length === 0 ? 'approved' : 'under_review',
    version: 1,
    amountMinor: 1000n,
    currency: 'BRL',
    feeMinor: null,
    method: 'pix',
    playerRef: 'player-1',
    provider: 'simulator',
    decision: {
      mode: reasons.length === 0 ? 'automatic' : 'manual',
      reasons,
      ruleSetVersion: 1,
      decidedBy: [],
      decidedAt: null,
    },
    pspReference: null,
    failureCode: null,
    createdAt: at,
    updatedAt: at,
    paidAt: null,
  };
}

describe('presentWithdrawal', () => {
  it('shows the operator’s reasons behind the codes of a review', () => {
    const { decision } = presentWithdrawal(snapshot(['OPERATOR_REVIEW_REQUESTED']), () => ['large win', 'new device']);
    assert.deepEqual(decision.reasons, ['OPERATOR_REVIEW_REQUESTED', 'OP:large win', 'OP:new device']);
  });

  it('shows none where nothing is reviewed', () => {
    assert.deepEqual(presentWithdrawal(snapshot([]), () => ['large win']).decision.reasons, []);
  });

  it('names the people who decided, and only their names, each once', () => {
    const act = (person: string, decision: 'approve' | 'refuse') => ({
      person,
      decision,
      reason: 'checked',
      at: '2026-11-21T12:01:00.000Z',
    });
    const decided = {
      ...snapshot(['FIRST_WITHDRAWAL']).decision,
      decidedBy: [act('Rui', 'approve'), act('Ana', 'approve'), act('Rui', 'refuse')],
    };
    assert.deepEqual(
      presentWithdrawal({ ...snapshot(['FIRST_WITHDRAWAL']), decision: decided }, () => []).decision.decided_by,
      ['Rui', 'Ana'],
    );
  });
});
