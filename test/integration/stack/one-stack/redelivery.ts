// What the operator missed is sent again by hand, in every environment: `gateway event redeliver-range`.
import assert from 'node:assert/strict';
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

    it('the replay serves the very bytes that were delivered', async () => {
      const { id } = (await stack.client.createDeposit(newDeposit(), once())).body;
      await stack.receiver.waitFor(id, 'deposit.pending');
      const delivered = stack.receiver.bodies.find((body) => body.includes(id));
      const { data } = (await stack.client.listEvents({ object_id: id })).body;
      assert.equal(JSON.stringify(data[0]), delivered);
    });

    describe('of a span of time', () => {
      const range = (...more: string[]) =>
        stack.gateway('event', 'redeliver-range', '--operation', stack.operation.operation_id, ...more);

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
    });
  });
