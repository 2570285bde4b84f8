// An event that the operator missed is sent again by hand, in every environment: `gateway event redeliver`.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { newDeposit, once } from '../../../../lab/harness/payments.js';
import type { Stack } from '../../../../lab/harness/stack.js';
import type { OpenStack } from './open-stack.js';
import { eventually } from '../../../../lab/harness/eventually.js';

export const redeliveryTests = (openStack: OpenStack) =>
  describe('redelivery', () => {
    let stack: Stack;
    before(async function () {
      this.timeout(60_000);
      stack = await openStack();
    });
    after(() => stack.close());

    const copiesOf = (eventId: string) => stack.receiver.events.filter(({ id }) => id === eventId).length;

    async function untilCopies(eventId: string, copies: number): Promise<void> {
      await eventually(() => copiesOf(eventId) >= copies, `${copies} copies of ${eventId}`);
    }

    it('an event that was delivered comes once more, with the same id', async () => {
      const { id } = (await stack.client.createDeposit(newDeposit(), once())).body;
      await stack.receiver.waitFor(id, 'deposit.pending');
      const [event] = stack.receiver.events.filter(({ object_id }) => object_id === id);
      assert.ok(event);
      const answer = await stack.gateway('event', 'redeliver', event.id);
      assert.deepEqual(answer, {
        event_id: event.id,
        operation_id: stack.operation.operation_id,
        type: 'deposit.pending',
        redelivery: 'scheduled',
      });
      await untilCopies(event.id, 2);
      const audit = (await stack.gateway('audit', 'list', '--subject', event.id)) as { entries: { action: string }[] };
      assert.deepEqual(
        audit.entries.map(({ action }) => action),
        ['event.redeliver'],
      );
    });

    it('an event whose retries are under way comes at once', async () => {
      stack.receiver.answerWith(500);
      const { id } = (await stack.client.createDeposit(newDeposit(), once())).body;
      await stack.receiver.waitFor(id, 'deposit.pending');
      stack.receiver.answerWith(200);
      const [event] = stack.receiver.events.filter(({ object_id }) => object_id === id);
      assert.ok(event);
      await stack.gateway('event', 'redeliver', event.id);
      await untilCopies(event.id, 2);
    }).timeout(20_000);

    it('each of three requests in a row is a copy, in the sandbox', async () => {
      const { id } = (await stack.client.createDeposit(newDeposit(), once())).body;
      await stack.receiver.waitFor(id, 'deposit.pending');
      const [event] = stack.receiver.events.filter(({ object_id }) => object_id === id);
      assert.ok(event);
      for (let time = 0; time < 3; time += 1) await stack.client.sandbox.redeliver(event.id, once());
      await untilCopies(event.id, 4);
      await sleep(500);
      assert.equal(copiesOf(event.id), 4);
    }).timeout(20_000);

    it('the replay serves the very bytes that were delivered', async () => {
      const { id } = (await stack.client.createDeposit(newDeposit(), once())).body;
      await stack.receiver.waitFor(id, 'deposit.pending');
      const delivered = stack.receiver.bodies.find((body) => body.includes(id));
      const { data } = (await stack.client.listEvents({ object_id: id })).body;
      assert.equal(JSON.stringify(data[0]), delivered);
    });

    it('an unknown event is refused by name', async () => {
      await assert.rejects(
        stack.gateway('event', 'redeliver', 'evt_00000000000000000000000000000000'),
        /there is no such event/,
      );
    });

    describe('of a span of time', () => {
      const range = (...more: string[]) =>
        stack.gateway('event', 'redeliver-range', '--operation', stack.operation.operation_id, ...more);
      const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000).toISOString();

      it('what the endpoint never accepted comes, what it accepted does not; --all: both', async () => {
        const accepted = (await stack.client.createDeposit(newDeposit(), once())).body.id;
        await stack.receiver.waitFor(accepted, 'deposit.pending');
        const from = new Date().toISOString();
        const kept = (await stack.client.createDeposit(newDeposit(), once())).body.id;
        await stack.receiver.waitFor(kept, 'deposit.pending');
        stack.receiver.answerWith(500);
        const missed = (await stack.client.createDeposit(newDeposit(), once())).body.id;
        await stack.receiver.waitFor(missed, 'deposit.pending');
        stack.receiver.answerWith(200);
        const eventOf = (id: string) =>
          stack.receiver.events.find(({ object_id }) => object_id === id)?.id ?? assert.fail(`no event of ${id}`);

        const answer = (await range('--from', from)) as { events: number; redelivery: string };
        assert.deepEqual([answer.events, answer.redelivery], [1, 'scheduled']);
        await untilCopies(eventOf(missed), 2);
        assert.equal(copiesOf(eventOf(kept)), 1);

        await eventually(
          async () => ((await range('--from', from, '--all')) as { events: number }).events === 2,
          'the first has ended',
        ).catch(() => undefined);
        await untilCopies(eventOf(kept), 2);
        await untilCopies(eventOf(missed), 3);
        assert.equal(copiesOf(eventOf(accepted)), 1, 'before the span');
        const audit = (await stack.gateway('audit', 'list', '--subject', stack.operation.operation_id)) as {
          entries: { action: string; detail: { events: number; selection: string } }[];
        };
        assert.deepEqual(
          audit.entries
            .filter(({ action }) => action === 'event.redeliver_range')
            .map(({ detail }) => [detail.selection, detail.events]),
          [
            ['all', 2],
            ['undelivered', 1],
          ],
        );
      }).timeout(30_000);

      it('an empty span: nothing is done, and it says so', async () => {
        const answer = (await range('--from', '2020-01-01T00:00:00Z', '--to', '2020-01-02T00:00:00Z')) as object;
        assert.deepEqual(
          { ...answer, operation_id: '' },
          {
            ...{ operation_id: '', from: '2020-01-01T00:00:00.000Z', to: '2020-01-02T00:00:00.000Z' },
            ...{ events: 0, redelivery: 'none' },
          },
        );
      });

      it('a span that ends before it begins is refused', () =>
        assert.rejects(range('--from', ago(0), '--to', ago(60)), /--to: must be later than --from/));
    });
  });
