// A whole gateway: two weeks of payments in seconds, by the clock of their operation.
import assert from 'node:assert/strict';
import { ProblemError } from '../../../../client/index.js';
import { newDeposit, newPlayer, once } from '../../../../lab/harness/payments.js';
import type { Stack } from '../../../../lab/harness/stack.js';
import { timedLives } from '../../../support/timed-lives.js';
import type { OpenStack } from './open-stack.js';
import { timed } from './timed-stack.js';

const DAY_SECONDS = 86_400;

export const clockTests = (openStack: OpenStack) =>
  describe('the clock of an operation', function () {
    this.timeout(90_000);
    let stack: Stack;
    before(async () => {
      stack = await openStack();
    });
    after(() => stack.close());

    async function advance(seconds: number, frozen?: boolean) {
      const order = { advance_seconds: seconds, ...(frozen === undefined ? {} : { frozen }) };
      const { body } = await stack.client.sandbox.setClock(order, once());
      assert.deepEqual([body.reached, body.pending], [true, []]);
      return body;
    }
    const eventsOf = async (id: string) =>
      (await stack.client.listEvents({ object_id: id })).body.data.map(({ type, created_at }) => ({
        type,
        created_at,
      }));
    const deliveriesOf = async (id: string) =>
      (await stack.client.sandbox.webhookDeliveries({ limit: 200 })).body.data
        .filter(({ object_id }) => object_id === id)
        .reverse();

    it('a fortnight of a deposit and a withdrawal in seconds, in order, with their events and days', async () => {
      const startedMs = performance.now();
      const begun = (await stack.client.sandbox.setClock({ frozen: true }, once())).body;
      assert.ok(begun.frozen && Math.abs(begun.offset_seconds) < 10);
      const player = newPlayer();
      const unpaid = (await stack.client.createDeposit(newDeposit('5000', player), once())).body;
      const paid = (await stack.client.createDeposit(newDeposit('7000', player), once())).body;
      const late = (await stack.client.createDeposit(newDeposit('6000', player), once())).body;
      assert.equal(unpaid.created_at, begun.now);
      await stack.client.sandbox.payDeposit(paid.id, once());
      await stack.receiver.waitFor(paid.id, 'deposit.paid');

      // The operator is down from here on: everything is delivered again and again.
      stack.receiver.answerWith(500);
      const expiresMs = Date.parse(String(unpaid.expires_at));
      await advance((expiresMs - Date.parse(begun.now)) / 1_000 + 60);
      assert.equal((await stack.client.getDeposit(unpaid.id)).body.status, 'pending', 'in the grace');
      const inGrace = (await stack.client.sandbox.payDeposit(late.id, once())).body;
      assert.equal(inGrace.status, 'under_review');
      await stack.client.sandbox.reviewDeposit(late.id, 'approve', once());
      assert.equal((await stack.client.getDeposit(late.id)).body.status, 'paid');
      await advance(61);
      assert.equal((await stack.client.getDeposit(unpaid.id)).body.status, 'expired');
      const [, expired] = await eventsOf(unpaid.id);
      assert.deepEqual(expired, {
        type: 'deposit.expired',
        created_at: new Date(expiresMs + 120_000).toISOString(),
      });
      await advance(DAY_SECONDS);
      const attempts = await deliveriesOf(unpaid.id);
      const [first] = attempts.filter(({ type }) => type === 'deposit.expired');
      const after = attempts
        .filter(({ type }) => type === 'deposit.expired')
        .map(({ sent_at }) => Math.round((Date.parse(sent_at) - Date.parse(first!.sent_at)) / 1_000));
      assert.deepEqual(after, [0, 10, 70, 370, 1_270, 4_870, 15_670, 37_270, 80_470]);
      stack.receiver.answerWith(200);
      await advance(13 * DAY_SECONDS);
      await stack.receiver.waitFor(unpaid.id, 'deposit.expired', 1_000);

      // The days have closed: those of the payments can be reconciled. In the evening they are two.
      const lateAt = new Date(expiresMs + 60_000).toISOString();
      const days = [...new Set([begun.now, lateAt].map((at) => at.slice(0, 10)))];
      const reports = await Promise.all(days.map((date) => stack.client.reconciliation({ date, currency: 'BRL' })));
      assert.deepEqual(
        reports
          .flatMap(({ body }) => body.items)
          .map(({ object_id, kind, settled_at }) => ({ object_id, kind, settled_at }))
          .sort((a, b) => a.settled_at.localeCompare(b.settled_at)),
        [
          { object_id: paid.id, kind: 'deposit', settled_at: begun.now },
          { object_id: late.id, kind: 'deposit', settled_at: lateAt },
        ],
      );
      const now = (await stack.client.sandbox.clock()).body;
      assert.ok(now.offset_seconds >= 14 * DAY_SECONDS && now.frozen);
      assert.ok(performance.now() - startedMs < 30_000);
    });

    describe('what time does, as a time-skipping server shows it', () => {
      let own: Stack;
      before(async () => {
        own = await openStack();
        await own.client.sandbox.setClock({ frozen: true }, once());
      });
      afterEach(() => own.receiver.answerWith(200));
      after(() => own.close());
      timedLives(() => timed(own));
    });

    it('the hour of a player’s limits', async () => {
      const player = newPlayer();
      const create = () => stack.client.createDeposit(newDeposit('100', player), once());
      for (let made = 0; made < 10; made += 1) await create();
      // With a Retry-After that this client does not wait for.
      await assert.rejects(
        create(),
        (error: unknown) => error instanceof ProblemError && error.code === 'rate_limited',
      );
      await advance(3_600);
      assert.equal((await create()).status, 201);
    });

    it('it goes forward only, at most a year ahead', async () => {
      const { now } = (await stack.client.sandbox.clock()).body;
      for (const to of [new Date(Date.parse(now) - 1_000), new Date(Date.parse(now) + 400 * DAY_SECONDS * 1_000)])
        await assert.rejects(
          stack.client.sandbox.setClock({ to: to.toISOString() }, once()),
          (error: unknown) => error instanceof ProblemError && error.code === 'validation_failed',
        );
    });
  });
