// Cancels and the sandbox's actions: from which states, what reaches workflow and provider, and what is answered.
import assert from 'node:assert/strict';
import type { CallerOperation } from '../../../contract/http/route.js';
import { type RouteName, SANDBOX_WITHDRAWAL_ACTIONS } from '../../../contract/http/routes.js';
import { deliveryPage } from '../../../contract/http/schemas/sandbox.js';
import { DEPOSIT_STATUSES, type DepositStatus } from '../../../domain/deposit.js';
import { chargeReferenceOf, newId, payoutReferenceOf } from '../../../domain/identifiers.js';
import { WITHDRAWAL_STATUSES, type WithdrawalStatus } from '../../../domain/withdrawal.js';
import { NO_ANSWER } from './support/fake-temporal.js';
import { Harness } from './support/harness.js';

describe('actions (routes over Postgres)', () => {
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
  /** A workflow that moves the deposit's row, as the real one does before it answers. */
  const moves = (update: string, status: DepositStatus, version = 9) =>
    harness.temporal.script(update, async ({ workflowId }) => {
      await harness.setDeposit(workflowId, {
        status,
        version,
        ...(status === 'paid' ? { paidAmountMinor: '5000' } : {}),
      });
      return { kind: 'done', status, deposit: { status } };
    });

  describe('POST /deposits/{id}/cancel', () => {
    it('pending → cancelled', async () => {
      const deposit = await harness.insertDeposit(operation, {});
      harness.temporal.script('cancel', () => ({
        kind: 'done',
        deposit: { ...deposit, status: 'cancelled', version: 3 },
      }));
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
        harness.temporal.script('cancel', () => ({ kind: 'invalid_state', deposit: { ...deposit } }));
        assert.equal((await act('cancelDeposit', deposit.id)).code, 'invalid_state_transition');
      });
    }

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
      harness.temporal.script('cancel', () => ({
        kind: 'invalid_state',
        deposit: { ...deposit, status: 'cancelled' },
      }));
      assert.equal((await act('cancelDeposit', deposit.id)).status, 200);
    });

    it('no worker → 503; another operation’s → 404', async () => {
      const deposit = await harness.insertDeposit(operation, {});
      assert.equal((await act('cancelDeposit', deposit.id)).code, 'service_unavailable');
      const foreign = await harness.insertDeposit(await harness.operation(), {});
      assert.equal((await act('cancelDeposit', foreign.id)).code, 'not_found');
    });
  });

  describe('POST /withdrawals/{id}/cancel', () => {
    for (const status of ['requested', 'under_review', 'approved'] as const) {
      it(`${status} → cancelled`, async () => {
        const withdrawal = await harness.insertWithdrawal(operation, { status });
        harness.temporal.script('cancel', () => ({ kind: 'done', withdrawal: { ...withdrawal, status: 'cancelled' } }));
        assert.equal((await act('cancelWithdrawal', withdrawal.id)).body['status'], 'cancelled');
      });
    }

    it('approved with the send out → 409', async () => {
      const withdrawal = await harness.insertWithdrawal(operation, { status: 'approved' });
      harness.temporal.script('cancel', () => ({ kind: 'invalid_state', withdrawal }));
      assert.equal((await act('cancelWithdrawal', withdrawal.id)).code, 'invalid_state_transition');
    });

    for (const status of ['processing', 'paid', 'rejected', 'failed', 'returned'] as const) {
      it(`${status} → 409`, async () => {
        const withdrawal = await harness.insertWithdrawal(operation, { status });
        harness.temporal.script('cancel', () => ({ kind: 'invalid_state', withdrawal }));
        assert.equal((await act('cancelWithdrawal', withdrawal.id)).code, 'invalid_state_transition');
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

  describe('sandbox deposits', () => {
    it('pay: the exact amount by the player, then the deposit looks', async () => {
      const deposit = await harness.insertDeposit(operation, {});
      moves('refresh', 'paid');
      const answer = await act('sandboxPayDeposit', deposit.id);
      assert.deepEqual([answer.status, answer.body['status']], [200, 'paid']);
      assert.deepEqual(harness.steering.calls, [`pay simulator ${chargeReferenceOf(deposit.id)} exact player`]);
      const [start] = harness.temporal.starts;
      assert.deepEqual(
        [start?.workflowId, start?.input, start?.reusePolicy, start?.conflictPolicy],
        [
          deposit.id,
          { kind: 'reopen', depositId: deposit.id, operationId: operation.id },
          'ALLOW_DUPLICATE',
          'USE_EXISTING',
        ],
      );
      assert.deepEqual(harness.temporal.messages.at(-1)?.args, [{ endToEndId: 'E2E' }]);
    });

    it('pay: another amount, another payer', async () => {
      const deposit = await harness.insertDeposit(operation, {});
      moves('refresh', 'under_review');
      assert.equal(
        (
          await act('sandboxPayDeposit', deposit.id, {
            payer_document: { type: 'PASSPORT', number: 'X1', country: 'PT' },
          })
        ).code,
        'document_invalid',
      );
      await act('sandboxPayDeposit', deposit.id, {
        paid_amount: { amount: '1', currency: 'BRL' },
        payer_document: { type: 'CPF', number: '11144477735', country: 'BR' },
      });
      assert.deepEqual(harness.steering.calls, [`pay simulator ${chargeReferenceOf(deposit.id)} 1 11144477735`]);
    });

    it('pay: another currency', async () => {
      const deposit = await harness.insertDeposit(operation, {});
      assert.deepEqual(
        (await act('sandboxPayDeposit', deposit.id, { paid_amount: { amount: '1', currency: 'USD' } })).errors,
        ['paid_amount.currency currency_mismatch'],
      );
      assert.deepEqual(harness.steering.calls, []);
    });

    for (const status of DEPOSIT_STATUSES) {
      const isPayable = (['pending', 'expired', 'cancelled', 'failed'] as readonly string[]).includes(status);
      it(`pay from ${status} → ${isPayable ? 200 : 409}`, async () => {
        const deposit = await harness.insertDeposit(operation, { status });
        harness.temporal.script('refresh', () => ({ status }));
        const answer = await act('sandboxPayDeposit', deposit.id);
        assert.equal(answer.code ?? answer.status, isPayable ? 200 : 'invalid_state_transition');
      });
    }

    it('pay: nobody can pay a charge that the provider refused, nor one twice; a silent simulator is 503', async () => {
      const deposit = await harness.insertDeposit(operation, { status: 'failed' });
      for (const [answer, expected] of [
        [{ kind: 'not_found' }, 'invalid_state_transition'],
        [{ kind: 'refused', reason: 'paid' }, 'invalid_state_transition'],
        [{ kind: 'unavailable', reason: 'down' }, 'service_unavailable'],
      ] as const) {
        harness.steering.answer = () => answer;
        assert.equal((await act('sandboxPayDeposit', deposit.id)).code, expected);
      }
    });

    it('pay: what was paid stands although no worker answers', async () => {
      const deposit = await harness.insertDeposit(operation, {});
      harness.temporal.script('refresh', () => {
        throw NO_ANSWER;
      });
      const answer = await act('sandboxPayDeposit', deposit.id);
      assert.deepEqual([answer.status, answer.body['status']], [200, 'pending']);
    });

    it('expire: from pending; 409 from any other state; 503 without a worker', async () => {
      const deposit = await harness.insertDeposit(operation, {});
      assert.equal((await act('sandboxExpireDeposit', deposit.id)).code, 'service_unavailable');
      moves('expire', 'expired');
      assert.equal((await act('sandboxExpireDeposit', deposit.id)).body['status'], 'expired');
      harness.temporal.script('expire', () => ({ kind: 'invalid_state' }));
      for (const status of DEPOSIT_STATUSES.filter((one) => one !== 'pending')) {
        const other = await harness.insertDeposit(operation, { status });
        assert.equal((await act('sandboxExpireDeposit', other.id)).code, 'invalid_state_transition', status);
      }
    });

    for (const [route, kind, status] of [
      ['sandboxRefundDeposit', 'refund', 'refunded'],
      ['sandboxChargeBackDeposit', 'chargeback', 'chargeback'],
    ] as const) {
      it(`${kind}: paid → ${status}, waiting for a reversal that is pending at the provider`, async () => {
        const deposit = await harness.insertDeposit(operation, { status: 'paid' });
        let asked = 0;
        harness.temporal.script('refresh', async () => {
          asked += 1;
          if (asked < 3) return { status: 'paid' };
          await harness.setDeposit(deposit.id, { status, version: 4 });
          return { status };
        });
        const answer = await act(route, deposit.id, {});
        assert.deepEqual([answer.status, answer.body['status'], asked], [200, status, 3]);
        assert.deepEqual(harness.steering.calls, [`${kind} simulator ${chargeReferenceOf(deposit.id)}`]);
      });

      for (const from of DEPOSIT_STATUSES.filter((one) => one !== 'paid')) {
        it(`${kind} from ${from} → 409`, async () => {
          const deposit = await harness.insertDeposit(operation, { status: from });
          assert.equal((await act(route, deposit.id)).code, 'invalid_state_transition');
          assert.deepEqual(harness.steering.calls, []);
        });
      }
    }

    it('another operation’s deposit: 404 on every action', async () => {
      const foreign = await harness.insertDeposit(await harness.operation(), {});
      for (const route of [
        'sandboxPayDeposit',
        'sandboxExpireDeposit',
        'sandboxRefundDeposit',
        'sandboxChargeBackDeposit',
      ] as const)
        assert.equal((await act(route, foreign.id)).code, 'not_found');
    });
  });

  describe('sandbox withdrawals', () => {
    const act = (action: string, id: string) =>
      harness.call('sandboxActOnWithdrawal', { operation, params: { id, action } });

    /** From which states each action acts; specification, "Sandbox control surface", and design section 5. */
    const FROM: Readonly<Record<string, readonly WithdrawalStatus[]>> = {
      approve: ['under_review'],
      reject: ['under_review'],
      pay: ['approved', 'processing'],
      fail: ['approved', 'processing'],
      return: ['paid'],
    };
    const RESULTS: Readonly<Record<string, WithdrawalStatus>> = {
      approve: 'approved',
      reject: 'rejected',
      pay: 'paid',
      fail: 'failed',
      return: 'returned',
    };

    for (const action of SANDBOX_WITHDRAWAL_ACTIONS) {
      for (const status of WITHDRAWAL_STATUSES) {
        const isAllowed = FROM[action]?.includes(status) ?? false;
        it(`${action} from ${status} → ${isAllowed ? RESULTS[action] : 409}`, async () => {
          const withdrawal = await harness.insertWithdrawal(operation, { status });
          const to = RESULTS[action] ?? status;
          const move = async () => {
            await harness.setWithdrawal(withdrawal.id, { status: to, version: 5 });
            return { kind: 'done', status: to, withdrawal: { ...withdrawal, status: to, version: 5 } };
          };
          harness.temporal.script('review', move);
          harness.temporal.script('refresh', move);
          const answer = await act(action, withdrawal.id);
          if (isAllowed) assert.deepEqual([answer.status, answer.body['status'], answer.body['version']], [200, to, 5]);
          else {
            assert.equal(answer.code, 'invalid_state_transition');
            assert.deepEqual([harness.temporal.messages, harness.steering.calls], [[], []]);
          }
        });
      }
    }

    it('each review is another person’s', async () => {
      const earlier = { person: 'Ana', decision: 'approve', reason: '', at: '2026-11-21T12:00:00.000Z' } as const;
      const withdrawal = await harness.insertWithdrawal(operation, {
        decision: {
          mode: 'manual',
          reasons: ['DUAL_APPROVAL_REQUIRED'],
          ruleSetVersion: 1,
          decidedBy: [earlier],
          decidedAt: null,
        },
      });
      harness.temporal.script('review', () => ({ kind: 'done', withdrawal }));
      await act('approve', withdrawal.id);
      const [review] = harness.temporal.messages[0]?.args as [{ person: string; decision: string }];
      assert.deepEqual([review.person, review.decision], ['sandbox reviewer 2', 'approve']);
    });

    it('pay from approved waits for the payout to reach the provider', async () => {
      const withdrawal = await harness.insertWithdrawal(operation, { status: 'approved' });
      harness.steering.answer = () =>
        harness.steering.calls.length < 3 ? { kind: 'not_found' } : { kind: 'done', endToEndId: 'E' };
      harness.temporal.script('refresh', () => ({ ...withdrawal, status: 'paid' }));
      assert.equal((await act('pay', withdrawal.id)).status, 200);
      assert.deepEqual(
        harness.steering.calls,
        Array.from({ length: 3 }, () => `paid simulator ${payoutReferenceOf(withdrawal.id)}`),
      );
    });

    it('pay: asks until the withdrawal shows the result', async () => {
      const withdrawal = await harness.insertWithdrawal(operation, { status: 'processing' });
      let asked = 0;
      harness.temporal.script('refresh', async () => {
        asked += 1;
        if (asked === 1) return { ...withdrawal, status: 'processing' };
        await harness.setWithdrawal(withdrawal.id, { status: 'paid', version: 5 });
        return { ...withdrawal, status: 'paid' };
      });
      assert.deepEqual([(await act('pay', withdrawal.id)).body['status'], asked], ['paid', 2]);
    });

    it('pay from approved, ordered in advance, and cancelled before it left → 409', async () => {
      const withdrawal = await harness.insertWithdrawal(operation, { status: 'approved' });
      harness.temporal.script('refresh', async () => {
        await harness.setWithdrawal(withdrawal.id, { status: 'cancelled', version: 3 });
        throw NO_ANSWER;
      });
      assert.equal((await act('pay', withdrawal.id)).code, 'invalid_state_transition');
    });

    it('pay from approved, and it still waits for its send → 200 as it is', async () => {
      const withdrawal = await harness.insertWithdrawal(operation, { status: 'approved' });
      harness.temporal.script('refresh', () => {
        throw NO_ANSWER;
      });
      const answer = await act('pay', withdrawal.id);
      assert.deepEqual([answer.status, answer.body['status']], [200, 'approved']);
    });

    it('pay from approved, and the payout never leaves → 409', async () => {
      const withdrawal = await harness.insertWithdrawal(operation, { status: 'approved' });
      harness.steering.answer = () => ({ kind: 'not_found' });
      assert.equal((await act('pay', withdrawal.id)).code, 'invalid_state_transition');
      assert.ok(harness.steering.calls.length > 1);
    });

    it('pay from approved, cancelled meanwhile → 409 at once', async () => {
      const withdrawal = await harness.insertWithdrawal(operation, { status: 'approved' });
      harness.steering.answer = async () => {
        await harness.setWithdrawal(withdrawal.id, { status: 'cancelled', version: 3 });
        return { kind: 'not_found' };
      };
      assert.equal((await act('pay', withdrawal.id)).code, 'invalid_state_transition');
      assert.equal(harness.steering.calls.length, 1);
    });

    it('an unknown action, an unknown withdrawal → 404', async () => {
      const withdrawal = await harness.insertWithdrawal(operation, {});
      assert.equal((await act('explode', withdrawal.id)).code, 'not_found');
      assert.equal((await act('constructor', withdrawal.id)).code, 'not_found');
      assert.equal((await act('approve', newId('withdrawal'))).code, 'not_found');
    });
  });

  describe('sandbox switches', () => {
    it('outage: per operation, and back', async () => {
      const other = await harness.operation();
      for (const down of [true, false]) {
        const answer = await harness.call('sandboxSetOutage', { operation, body: { down } });
        assert.deepEqual([answer.status, answer.body], [200, { down }]);
        const rows = await harness.database.operation.findMany({
          where: { id: { in: [operation.id, other.id] }, outage: true },
        });
        assert.deepEqual(
          rows.map(({ id }) => id),
          down ? [operation.id] : [],
        );
      }
    });

    const insertEvent = async (tenant: CallerOperation) => {
      const id = newId('event');
      await harness.database.event.create({
        data: {
          id,
          operationId: tenant.id,
          sequence: 1,
          type: 'deposit.paid',
          objectId: id.replace('evt', 'dep'),
          objectVersion: 3,
          bodySealed: harness.sealer.sealBytes(Buffer.from('{}')),
          createdAt: new Date(),
        },
      });
      return id;
    };

    it('GET /sandbox/webhooks: newest first, by page, of this operation', async () => {
      const eventId = await insertEvent(operation);
      const foreign = await harness.operation();
      const log = (tenant: CallerOperation, event: string, attempt: number, responseStatus: number | null) =>
        harness.database.webhookDelivery.create({
          data: {
            operationId: tenant.id,
            eventId: event,
            attempt,
            sentAt: '2026-11-21T12:00:00Z',
            responseStatus,
            error: responseStatus === null ? 'timeout' : null,
            durationMs: 12,
            nextAttemptAt: responseStatus === 200 ? null : '2026-11-21T12:00:10Z',
          },
        });
      await log(operation, eventId, 1, null);
      await log(foreign, await insertEvent(foreign), 1, 200);
      await log(operation, eventId, 2, 500);
      await log(operation, eventId, 3, 200);
      const read = async (query: Record<string, string>) =>
        deliveryPage.parse((await harness.call('sandboxListWebhooks', { operation, query })).body);
      const first = await read({ limit: '2' });
      const rest = await read({ limit: '2', cursor: String(first.next_cursor) });
      assert.deepEqual(
        [...first.data, ...rest.data].map(({ attempt, response_status }) => [attempt, response_status]),
        [
          [3, 200],
          [2, 500],
          [1, null],
        ],
      );
      assert.deepEqual(rest, {
        data: [
          {
            event_id: eventId,
            type: 'deposit.paid',
            object_id: eventId.replace('evt', 'dep'),
            attempt: 1,
            sent_at: '2026-11-21T12:00:00.000Z',
            response_status: null,
            error: 'timeout',
            duration_ms: 12,
            next_attempt_at: '2026-11-21T12:00:10.000Z',
          },
        ],
        next_cursor: null,
      });
      for (const cursor of ['', 'x', 'MDA', Buffer.from('-1').toString('base64url')]) {
        assert.deepEqual(
          (await harness.call('sandboxListWebhooks', { operation, query: { cursor } })).errors,
          ['cursor format'],
          cursor,
        );
      }
    });

    it('redeliver: signals the event’s delivery, started if need be', async () => {
      const eventId = await insertEvent(operation);
      const answer = await harness.call('sandboxRedeliverWebhook', { operation, body: { event_id: eventId } });
      assert.deepEqual([answer.status, answer.body], [200, { event_id: eventId, redelivery: 'scheduled' }]);
      const [signal] = harness.temporal.signals;
      assert.deepEqual(
        [signal?.name, signal?.workflowId, signal?.start.taskQueue, signal?.start.reusePolicy],
        ['redeliver', eventId, 'webhooks', 'ALLOW_DUPLICATE'],
      );
      assert.deepEqual(signal?.start.input, { eventId, operationId: operation.id, attemptsMade: 0 });
    });

    it('redeliver: another operation’s event → 404; Temporal down → 503', async () => {
      const foreign = await insertEvent(await harness.operation());
      assert.equal(
        (await harness.call('sandboxRedeliverWebhook', { operation, body: { event_id: foreign } })).code,
        'not_found',
      );
      const own = await insertEvent(operation);
      harness.temporal.isDown = true;
      assert.equal(
        (await harness.call('sandboxRedeliverWebhook', { operation, body: { event_id: own } })).code,
        'service_unavailable',
      );
    });
  });

  it('the disabled surface answers as specified', async () => {
    assert.equal((await harness.call('createFxQuote', { operation, body: {} })).code, 'fx_not_enabled');
    assert.equal((await act('getFxQuote', 'fxq_1')).code, 'not_found');
    assert.deepEqual((await harness.call('listReceipts', { operation })).body, { data: [], next_cursor: null });
    assert.equal((await act('getReceipt', 'rcv_1')).code, 'not_found');
    assert.equal(
      (
        await harness.call('sandboxReceiveTransfer', {
          operation,
          body: { amount: { amount: '1', currency: 'BRL' }, rail: 'ted' },
        })
      ).code,
      'rail_not_enabled',
    );
  });
});
