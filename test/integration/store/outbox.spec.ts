// The outbox in a real PostgreSQL: what one process stores, another takes and delivers, once.
import assert from 'node:assert/strict';
import { type Logger, pino } from 'pino';
import { MemoryFirstAttempts } from '../../../activities/webhooks/first-attempts.js';
import type { DeliveryResult } from '../../../activities/webhooks/types.js';
import type { WebhookDeliveryInput } from '../../../contract/temporal/webhook-delivery.js';
import { createDatabase, type Database } from '../../../store/database.js';
import { openDelivery } from '../../../store/events/deliveries.js';
import { takeFromOutbox } from '../../../store/events/outbox.js';
import { eventually } from '../../../tools/harness/eventually.js';
import { keepEmptyingOutbox } from '../../../worker/outbox.js';
import { depositOrder, openStore, pendingDeposit, type StoreFixture } from './fixtures.js';

const URL = 'https://operator.test/webhooks';
const SILENT = pino({ level: 'silent' });

describe('the outbox', () => {
  let fixture: StoreFixture;
  /** With the rights of a worker of the webhooks queue. */
  let webhooks: Database;
  beforeEach(async () => {
    fixture = await openStore();
    await fixture.database.operation.update({ where: { id: fixture.operationId }, data: { webhookUrl: URL } });
    const url = fixture.testDatabase.urlOfRole('gateway_webhooks');
    webhooks = createDatabase({ url, poolSize: 5, connectTimeoutMs: 10_000, statementTimeoutMs: 2_000 });
  });
  afterEach(async () => {
    await webhooks.$disconnect();
    await fixture.close();
  });

  /** Stores the event of a deposit, as a process that delivers nothing. Answers the deposit's id. */
  const publish = async () =>
    (await pendingDeposit(fixture.database, fixture.sealer, depositOrder(fixture))).snapshot.id;

  it('gives an event once, with its body and its target', async () => {
    const id = await publish();
    const [event, ...others] = await takeFromOutbox(webhooks, 10);
    assert.ok(event);
    assert.deepEqual([event.operationId, event.objectId, others], [fixture.operationId, id, []]);
    const { url, body } = openDelivery(fixture.sealer, event, event.delivery);
    assert.equal(url, URL);
    assert.equal((JSON.parse(body.toString()) as { data: { object: { id: string } } }).data.object.id, id);
    assert.deepEqual(await takeFromOutbox(webhooks, 10), []);
  });

  it('gives the oldest first, and of several processes each takes others', async () => {
    const ids = [];
    for (let count = 0; count < 6; count += 1) ids.push(await publish());
    const [first] = await takeFromOutbox(webhooks, 1);
    assert.equal(first?.objectId, ids[0]);
    const taken = await Promise.all(Array.from({ length: 5 }, () => takeFromOutbox(webhooks, 2)));
    const objects = taken.flat().map(({ objectId }) => objectId);
    assert.deepEqual(objects.toSorted(), ids.slice(1).toSorted());
  });

  describe('a process that empties it', () => {
    let delivered: string[];
    let started: WebhookDeliveryInput[];
    let answer: () => Promise<DeliveryResult>;
    let attempts: MemoryFirstAttempts;
    beforeEach(() => {
      [delivered, started] = [[], []];
      answer = async () => ({ kind: 'delivered', status: 200 });
      attempts = new MemoryFirstAttempts({
        deliver: ({ eventId }) => {
          delivered.push(eventId);
          return answer();
        },
        startDelivery: async (delivery) => void started.push(delivery),
        logger: SILENT,
      });
    });

    it('delivers each event soon, once, and stops', async () => {
      const outbox = keepEmptyingOutbox(webhooks, attempts, SILENT);
      for (let count = 0; count < 3; count += 1) await publish();
      await eventually(() => delivered.length === 3, 'three deliveries');
      await outbox.stop();
      await publish();
      await new Promise((resolve) => setTimeout(resolve, 300));
      assert.equal(new Set(delivered).size, 3);
      assert.equal(await fixture.database.eventOutbox.count(), 1);
    });

    it('hands an event to a workflow when its attempt failed', async () => {
      answer = async () => ({ kind: 'failed', status: 500, reason: 'answered 500' });
      const outbox = keepEmptyingOutbox(webhooks, attempts, SILENT);
      await publish();
      await eventually(() => started.length === 1, 'a delivery workflow');
      await outbox.stop();
      assert.equal(started[0]?.attemptsMade, 1);
    });

    it('goes on after the database did not answer', async () => {
      let failures = 0;
      const logger = { warn: () => (failures += 1) } as unknown as Logger;
      const outbox = keepEmptyingOutbox(webhooks, attempts, logger);
      await publish();
      await eventually(() => delivered.length === 1, 'a delivery');
      await fixture.database.$transaction(
        async (transaction) => {
          await transaction.$executeRaw`LOCK TABLE event_outbox IN ACCESS EXCLUSIVE MODE`;
          await eventually(() => failures > 0, 'a look fails');
        },
        { timeout: 30_000 },
      );
      await publish();
      await eventually(() => delivered.length === 2, 'the next delivery');
      await outbox.stop();
    });
  });
});
