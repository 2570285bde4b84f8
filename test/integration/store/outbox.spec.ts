// The outbox in a real PostgreSQL: what is due is taken once, in order, and again if it was lost; what somebody
// requests is a row of its own.
import assert from 'node:assert/strict';
import { type Logger, pino } from 'pino';
import { MemoryAttempts } from '../../../activities/webhooks/memory-attempts.js';
import type { DeliveryResult } from '../../../activities/webhooks/deliver.js';
import type { WebhookDeliveryInput } from '../../../contract/temporal/webhook-delivery.js';
import { createDatabase, type Database } from '../../../store/database.js';
import { storeDepositChange } from '../../../store/payments/deposit/transition.js';
import { openDelivery, storeDeliveryAttempt } from '../../../store/events/deliveries.js';
import { type Look, takeDue, type TakenEvent } from '../../../store/events/outbox.js';
import { requestRange, requestRedelivery } from '../../../store/events/redelivery.js';
import { eventually } from '../../../lab/harness/eventually.js';
import { keepEmptyingOutbox } from '../../../worker/outbox.js';
import { depositOrder, payment, pendingDeposit, useStore } from './fixtures.js';

const URL = 'https://operator.test/webhooks';
const SILENT = pino({ level: 'silent' });

describe('the outbox', () => {
  const fixture = useStore();
  /** With the rights of a worker of the webhooks queue. */
  let webhooks: Database;
  beforeEach(async () => {
    await fixture.database.operation.update({ where: { id: fixture.operationId }, data: { webhookUrl: URL } });
    const url = fixture.testDatabase.urlOfRole('gateway_webhooks');
    webhooks = createDatabase({ url, poolSize: 5, connectTimeoutMs: 10_000, statementTimeoutMs: 2_000 });
  });
  afterEach(async () => {
    await webhooks.$disconnect();
  });

  /** Stores the event of a deposit, as a process that delivers nothing. */
  const pending = () => pendingDeposit(fixture.database, fixture.sealer, depositOrder(fixture));
  const publish = async () => (await pending()).record.snapshot.id;
  const take = (look: Partial<Look> = {}) => takeDue(webhooks, { limit: 10, since: null, except: [], ...look });
  const objectsOf = (taken: readonly TakenEvent[]) => taken.map(({ objectId }) => objectId);
  /** As if so much time had passed. */
  const pass = (seconds: number) =>
    fixture.database.$executeRaw`UPDATE event_outbox SET due_at = due_at - make_interval(secs => ${seconds})`;
  const attempted = ({ eventId, operationId, request, attempts }: TakenEvent, status: number) =>
    storeDeliveryAttempt(webhooks, {
      ...{ eventId, operationId, request, attempt: attempts + 1, sentAt: new Date(), responseStatus: status },
      ...{ error: null, durationMs: 1, isAccepted: status === 200, pauseSeconds: 10 },
    });
  const rows = async () =>
    (await fixture.database.eventOutbox.findMany({ orderBy: { dueAt: 'asc' } })).map(({ request, attempts }) => [
      request === '' ? 'own' : 'requested',
      attempts,
    ]);

  it('gives an event once, with its body and its target; again if it was lost', async () => {
    const id = await publish();
    const [event, ...others] = await take();
    assert.ok(event);
    assert.deepEqual([event.operationId, event.objectId, others], [fixture.operationId, id, []]);
    const { url, body } = openDelivery(fixture.sealer, event, event.delivery);
    assert.equal(url, URL);
    assert.equal((JSON.parse(body.toString()) as { data: { object: { id: string } } }).data.object.id, id);
    assert.deepEqual(await take(), []);
    await pass(24);
    assert.deepEqual(await take(), []);
    await pass(2);
    assert.deepEqual(objectsOf(await take()), [id]);
  });

  it('gives the first first, and of several processes each takes others', async () => {
    const ids = [];
    for (let count = 0; count < 6; count += 1) ids.push(await publish());
    assert.deepEqual(objectsOf(await take({ limit: 1 })), ids.slice(0, 1));
    const taken = await Promise.all(Array.from({ length: 5 }, () => take({ limit: 2 })));
    assert.deepEqual(objectsOf(taken.flat()).toSorted(), ids.slice(1).toSorted());
  });

  it('a look at what became due lately, or since a time, leaves what is older; one at everything takes it', async () => {
    const id = await publish();
    await pass(6);
    assert.deepEqual(await take({ since: 'lately' }), []);
    assert.deepEqual(await take({ since: new Date(Date.now() - 4_000).toISOString() }), []);
    assert.deepEqual(objectsOf(await take({ since: new Date(Date.now() - 60_000).toISOString() })), [id]);
    await publish();
    assert.equal((await take({ since: 'lately' })).length, 1);
    await pass(120);
    assert.equal((await take()).length, 2);
  });

  it('leaves the events of operations that have enough', async () => {
    await publish();
    assert.deepEqual(await take({ except: [fixture.operationId] }), []);
    assert.equal((await take({ except: ['op_other'] })).length, 1);
  });

  it('a later event of an object is first attempted after the earlier one, whatever that came to', async () => {
    for (const status of [200, 500]) {
      const kept = await pending();
      assert.ok(await storeDepositChange(fixture, payment(fixture, kept)));
      const [first, ...others] = await take();
      assert.ok(first);
      assert.deepEqual(others, []);
      assert.deepEqual(await take(), [], 'the first is being attempted');
      await attempted(first, status);
      const [second] = await take();
      assert.ok(second);
      assert.deepEqual([second.objectId, second.eventId === first.eventId], [first.objectId, false]);
      await attempted(second, 200);
    }
  });

  describe('requested deliveries', () => {
    const request = ({ eventId, operationId }: TakenEvent) =>
      requestRedelivery(fixture.database, { eventId, operationId });
    /** Takes the event's own delivery and has it answered with this status. */
    async function answered(status: number): Promise<TakenEvent> {
      await publish();
      const [own] = await take();
      assert.ok(own);
      await attempted(own, status);
      return own;
    }

    it('each is a delivery, also of an event that was accepted', async () => {
      const own = await answered(200);
      for (const _ of ['one', 'two', 'three']) await request(own);
      const taken = await take();
      assert.equal(taken.length, 3);
      for (const one of taken) assert.equal((await attempted(one, 200)).isOpen, false);
      assert.deepEqual(await rows(), []);
    });

    it('refused: the schedule begins; accepted: it ends', async () => {
      await request(await answered(200));
      const [refused] = await take();
      assert.ok(refused);
      assert.equal((await attempted(refused, 500)).isOpen, true);
      assert.deepEqual(await rows(), [['own', 1]]);
      await request(refused);
      const [accepted] = await take();
      assert.ok(accepted);
      await attempted(accepted, 200);
      assert.deepEqual(await rows(), []);
    });

    it('refused while a schedule is under way: it uses none of the schedule up, and says when the next attempt is', async () => {
      const own = await answered(500);
      const { dueAt } = await fixture.database.eventOutbox.findFirstOrThrow();
      await request(own);
      const [requested] = await take();
      assert.ok(requested);
      assert.equal((await attempted(requested, 500)).isOpen, false);
      const row = await fixture.database.eventOutbox.findFirstOrThrow();
      assert.deepEqual([row.attempts, row.dueAt], [1, dueAt]);
      const logged = await fixture.database.webhookDelivery.findMany({ orderBy: { id: 'asc' } });
      assert.deepEqual(
        logged.map(({ attempt, nextAttemptAt }) => [attempt, nextAttemptAt?.getTime()]),
        [1, 2].map((attempt) => [attempt, dueAt.getTime() - 25_000]),
      );
    });

    it('a span: its events in their order, ten a second; one span at a time; those of an object wait for no other', async () => {
      const { database, operationId } = fixture;
      for (let count = 0; count < 3; count += 1) await publish();
      await database.eventOutbox.deleteMany();
      const span = { operationId, from: '2020-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z', selection: 'all' } as const;
      const ask = () => database.$transaction((transaction) => requestRange(transaction, span));
      assert.deepEqual([await ask(), await ask()], [3, 0]);
      const due = await database.eventOutbox.findMany({ orderBy: { dueAt: 'asc' } });
      const events = await database.event.findMany({ orderBy: { sequence: 'asc' } });
      assert.deepEqual(
        due.map(({ eventId }) => eventId),
        events.map(({ id }) => id),
      );
      const at = due.map((row) => row.dueAt.getTime());
      assert.deepEqual(
        at.slice(1).map((one, index) => one - (at[index] ?? 0)),
        [100, 100],
      );
      await pass(1);
      for (const one of await take()) await attempted(one, 200);
      assert.deepEqual(await Promise.all([ask(), ask()]).then((counts) => counts.toSorted()), [0, 3]);
    });
  });

  describe('a process that empties it', () => {
    let delivered: string[];
    let started: WebhookDeliveryInput[];
    let answer: () => Promise<DeliveryResult>;
    let attempts: MemoryAttempts;
    beforeEach(() => {
      [delivered, started] = [[], []];
      answer = async () => ({ kind: 'delivered', status: 200 });
      attempts = new MemoryAttempts({
        deliver: ({ eventId }) => {
          delivered.push(eventId);
          return answer();
        },
        endExhausted: async () => undefined,
        startDelivery: async (delivery) => void started.push(delivery),
        logger: SILENT,
        mostOfOperation: 20,
      });
    });
    const empty = (logger = SILENT) =>
      keepEmptyingOutbox({ database: webhooks, batchDatabase: webhooks }, attempts, logger);

    it('delivers each event soon, once, and stops', async () => {
      const outbox = empty();
      for (let count = 0; count < 3; count += 1) await publish();
      await eventually(() => delivered.length === 3, 'three deliveries');
      await outbox.stop();
      await publish();
      await new Promise((resolve) => setTimeout(resolve, 300));
      assert.equal(new Set(delivered).size, 3);
      assert.equal((await take()).length, 1);
    });

    it('goes on after the database did not answer', async () => {
      let failures = 0;
      const logger = { warn: () => (failures += 1) } as unknown as Logger;
      const outbox = empty(logger);
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
