// Cancelling deposits and withdrawals, and what cannot be recalled: the routes over Postgres and a scripted Temporal.
import assert from 'node:assert/strict';
import { WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import type { PublicDeposit, PublicWithdrawal } from '../../../contract/http/presenters.js';
import type { CallerOperation } from '../../../contract/http/route.js';
import type { RouteName } from '../../../contract/http/routes.js';
import { NOT_POSSIBLE } from '../../../contract/temporal/payment.js';
import { DEPOSIT_STATUSES } from '../../../domain/payments/deposit.js';
import { newId } from '../../../domain/identifiers.js';
import { Harness } from './support/harness.js';

const CANCELLED = { status: 'cancelled', version: 3 };

describe('cancelling (routes over Postgres)', () => {
  let harness: Harness;
  let operation: CallerOperation;

  before(async () => {
    harness = await Harness.create();
  });
  after(() => harness.close());
  beforeEach(async () => {
    harness.temporal.reset();
    harness.steering.reset();
    operation = await harness.operation();
  });

  const act = (name: RouteName, id: string, body?: unknown, params: Record<string, string> = {}) =>
    harness.call(name, { operation, params: { id, ...params }, body });

  describe('POST /deposits/{id}/cancel', () => {
    it('pending → cancelled', async () => {
      const deposit = await harness.insertDeposit(operation, {});
      harness.temporal.script('cancel', async () => {
        await harness.setDeposit(deposit.id, CANCELLED);
        return { kind: 'done', snapshot: { ...deposit, ...CANCELLED } };
      });
      const answer = await act('cancelDeposit', deposit.id, {});
      assert.deepEqual([answer.status, answer.body['status'], answer.body['version']], [200, 'cancelled', 3]);
    });

    it('cancelled before: the same 200, and nobody is asked', async () => {
      const deposit = await harness.insertDeposit(operation, { status: 'cancelled', version: 3 });
      const answer = await act('cancelDeposit', deposit.id);
      assert.deepEqual([answer.status, answer.body['version'], harness.temporal.messages.length], [200, 3, 0]);
    });

    for (const status of DEPOSIT_STATUSES.filter((one) => one !== 'pending' && one !== 'cancelled')) {
      it(`${status} → 409`, async () => {
        const deposit = await harness.insertDeposit(operation, { status });
        harness.temporal.script('cancel', () => ({ kind: 'invalid_state', snapshot: { ...deposit } }));
        const refused = (await act('cancelDeposit', deposit.id)).problem;
        assert.deepEqual(
          [refused?.code, refused?.detail],
          ['invalid_state_transition', `The state \`${status}\` does not allow this.`],
        );
        assert.deepEqual(
          [(refused?.existing as PublicDeposit).id, (refused?.existing as PublicDeposit).status],
          [deposit.id, status],
        );
      });
    }

    /** As the workflow refuses what its state does not allow. */
    const notPossible = () => {
      const cause = ApplicationFailure.nonRetryable('not possible', NOT_POSSIBLE);
      throw new WorkflowUpdateFailedError('refused', cause);
    };

    it('created, and its workflow refuses it → 409, asked once', async () => {
      const deposit = await harness.insertDeposit(operation, { status: 'created' });
      harness.temporal.script('cancel', notPossible);
      assert.equal((await act('cancelDeposit', deposit.id)).code, 'invalid_state_transition');
      assert.equal(harness.temporal.messages.length, 1);
    });

    it('pending, and its workflow is a moment behind: asked again, and cancelled', async () => {
      const deposit = await harness.insertDeposit(operation, {});
      harness.temporal.script('cancel', async () => {
        if (harness.temporal.messages.length === 1) return notPossible();
        await harness.setDeposit(deposit.id, CANCELLED);
        return { kind: 'done', snapshot: { ...deposit, ...CANCELLED } };
      });
      const answer = await act('cancelDeposit', deposit.id);
      assert.deepEqual([answer.status, answer.body['status']], [200, 'cancelled']);
      assert.equal(harness.temporal.messages.length, 2);
    });

    it('pending, and its workflow stays behind → 503, never a false 409', async () => {
      const deposit = await harness.insertDeposit(operation, {});
      harness.temporal.script('cancel', notPossible);
      assert.equal((await act('cancelDeposit', deposit.id)).code, 'service_unavailable');
    });

    it('ended in the same moment: what it ended as decides', async () => {
      for (const [status, expected] of [
        ['cancelled', 200],
        ['paid', 'invalid_state_transition'],
      ] as const) {
        const deposit = await harness.insertDeposit(operation, {});
        harness.temporal.script('cancel', async () => {
          await harness.setDeposit(deposit.id, { status, version: 3, paidAmountMinor: '5000' });
          harness.temporal.ended.set(deposit.id, new Map());
          return harness.temporal
            .client()
            .getHandle(deposit.id)
            .executeUpdate('cancel' as never);
        });
        const answer = await act('cancelDeposit', deposit.id);
        assert.equal(answer.code ?? answer.status, expected);
      }
    });

    it('another cancel won the race: the same 200', async () => {
      const deposit = await harness.insertDeposit(operation, {});
      harness.temporal.script('cancel', async () => {
        await harness.setDeposit(deposit.id, CANCELLED);
        return { kind: 'invalid_state', snapshot: { ...deposit, ...CANCELLED } };
      });
      assert.equal((await act('cancelDeposit', deposit.id)).status, 200);
    });

    it('no worker → 503; another operation’s → 404', async () => {
      const deposit = await harness.insertDeposit(operation, {});
      assert.equal((await act('cancelDeposit', deposit.id)).code, 'service_unavailable');
      const foreign = await harness.insertDeposit(await harness.operation(), {});
      assert.equal((await act('cancelDeposit', foreign.id)).code, 'not_found');
    });
  });

  // Somebody answers in a worker's place: only the row says what happened.
  for (const lie of ['done', 'invalid_state', 'nothing that any worker answers']) {
    it(`an open payment, and the answer is ${lie}: 503, never a false 200 or 409`, async () => {
      const deposit = await harness.insertDeposit(operation, {});
      const withdrawal = await harness.insertWithdrawal(operation, { status: 'approved' });
      harness.temporal.forge('cancel', () => ({
        kind: lie,
        deposit: { ...deposit, ...CANCELLED },
        withdrawal: { ...withdrawal, status: 'cancelled' },
      }));
      assert.equal((await act('cancelDeposit', deposit.id)).code, 'service_unavailable');
      assert.equal((await act('cancelWithdrawal', withdrawal.id)).code, 'service_unavailable');
    });
  }

  describe('POST /withdrawals/{id}/cancel', () => {
    for (const status of ['requested', 'under_review', 'approved'] as const) {
      it(`${status} → cancelled`, async () => {
        const withdrawal = await harness.insertWithdrawal(operation, { status });
        harness.temporal.script('cancel', async () => {
          // The step stores it before the workflow answers.
          await harness.setWithdrawal(withdrawal.id, { status: 'cancelled', version: 2 });
          return { kind: 'done', snapshot: { ...withdrawal, status: 'cancelled' } };
        });
        assert.equal((await act('cancelWithdrawal', withdrawal.id)).body['status'], 'cancelled');
      });
    }

    it('approved with the send out → 409', async () => {
      const withdrawal = await harness.insertWithdrawal(operation, { status: 'approved' });
      await harness.database.payoutSend.create({
        data: {
          withdrawalId: withdrawal.id,
          reference: `P${withdrawal.id.slice(4)}`,
          state: 'claimed',
          clearedAt: new Date(),
        },
      });
      harness.temporal.script('cancel', () => ({ kind: 'invalid_state', snapshot: withdrawal }));
      const refused = (await act('cancelWithdrawal', withdrawal.id)).problem;
      assert.equal(refused?.code, 'invalid_state_transition');
      assert.match(String(refused?.detail), /`approved`, but the payment order has left: it may be paid/);
    });

    for (const status of ['processing', 'paid', 'rejected', 'failed', 'returned'] as const) {
      it(`${status} → 409`, async () => {
        const withdrawal = await harness.insertWithdrawal(operation, { status });
        harness.temporal.script('cancel', () => ({ kind: 'invalid_state', snapshot: withdrawal }));
        const refused = (await act('cancelWithdrawal', withdrawal.id)).problem;
        assert.deepEqual(
          [refused?.code, refused?.detail],
          ['invalid_state_transition', `The state \`${status}\` does not allow this.`],
        );
        assert.equal((refused?.existing as PublicWithdrawal).status, status);
      });
    }

    it('cancelled before: the same 200', async () => {
      const withdrawal = await harness.insertWithdrawal(operation, { status: 'cancelled' });
      assert.equal((await act('cancelWithdrawal', withdrawal.id)).status, 200);
    });
  });

  it('a PIX withdrawal cannot be recalled; an unknown one is 404', async () => {
    const withdrawal = await harness.insertWithdrawal(operation, { status: 'paid' });
    assert.equal(
      (await act('recallWithdrawal', withdrawal.id, { reason_code: 'other' })).code,
      'invalid_state_transition',
    );
    assert.equal((await act('recallWithdrawal', newId('withdrawal'), { reason_code: 'other' })).code, 'not_found');
  });
});
