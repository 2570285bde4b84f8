// Whatever has an event's next attempt is lost: its process, or its delivery workflow. At every point of the schedule
// the attempt is made within a minute of its time by whoever takes the event, and the schedule goes on.
import assert from 'node:assert/strict';
import { BlockList } from 'node:net';
import { pino } from 'pino';
import { OperationClocks } from '../../../activities/operation-clocks.js';
import { createWebhookActivities, deliverEvent, endExhausted } from '../../../activities/webhooks/deliver.js';
import { createEgressAgent } from '../../../activities/webhooks/egress.js';
import { MemoryAttempts } from '../../../activities/webhooks/memory-attempts.js';
import { DELIVERY_PAUSES_SECONDS, type WebhookDeliveryInput } from '../../../contract/temporal/webhook-delivery.js';
import { newId } from '../../../domain/identifiers.js';
import { takeDue } from '../../../store/events/outbox.js';
import { type Receiver, startReceiver } from '../../../lab/harness/receiver.js';
import { storedEvent } from '../../support/stored-events.js';
import { openStore, type StoreFixture } from '../store/fixtures.js';

const MINUTE_MS = 60_000;
const MOST_ATTEMPTS = DELIVERY_PAUSES_SECONDS.length + 1;

describe('an attempt that is lost', () => {
  let store: StoreFixture;
  let receiver: Receiver;
  let started: WebhookDeliveryInput[];
  const rules = { environment: 'sandbox', sandboxNetworks: new BlockList() } as const;
  const agent = createEgressAgent(rules);
  const logger = pino({ level: 'silent' });
  before(async () => {
    [store, receiver] = await Promise.all([openStore(), startReceiver()]);
    await store.database.operation.update({ where: { id: store.operationId }, data: { webhookUrl: receiver.url } });
  });
  beforeEach(() => {
    started = [];
    receiver.answerWith(500);
  });
  after(async () => {
    await Promise.all([agent.close(), receiver.close(), store.close()]);
  });

  const dependencies = () => ({
    ...store,
    agent,
    rules,
    logger,
    clock: Date.now,
    clocks: new OperationClocks('sandbox'),
  });
  const event = () => storedEvent(store);

  const activities = () => createWebhookActivities(dependencies());
  const awaits = (eventId: string, number: number, operationId = store.operationId) =>
    activities().awaitsAttempt({ eventId, operationId, attempt: number });
  /** As the event's delivery workflow does. */
  const attempt = (eventId: string, number: number) =>
    activities().deliverEvent({ eventId, operationId: store.operationId, attempt: number });

  /** A process takes everything that is due, and waits until it is attempted. */
  async function takeAndAttempt(): Promise<number> {
    const attempts = new MemoryAttempts({
      deliver: (input, found) => deliverEvent(dependencies(), input, found),
      endExhausted: (of) => endExhausted(dependencies(), { ...of, at: new Date().toISOString() }),
      startDelivery: async (delivery) => void started.push(delivery),
      logger,
    });
    const taken = await takeDue(store.database, { limit: 10, since: null, except: [] });
    for (const one of taken) attempts.deliver(one);
    await attempts.close();
    return taken.length;
  }

  const row = (eventId: string) => store.database.eventOutbox.findFirst({ where: { eventId } });
  const comes = (eventId: string) =>
    store.database.eventOutbox.updateMany({ where: { eventId }, data: { dueAt: new Date() } });
  const arrived = (eventId: string) => receiver.events.filter(({ id }) => id === eventId).length;
  const alerts = (eventId: string) => store.database.alert.count({ where: { objectId: eventId } });

  for (let made = 0; made < MOST_ATTEMPTS; made += 1)
    it(`after ${made} of ${MOST_ATTEMPTS}: another process makes it, within a minute of its time`, async () => {
      const id = await event();
      for (let number = 1; number <= made; number += 1) await attempt(id, number);
      // Nobody makes the next one.
      const planned = Date.now() + (DELIVERY_PAUSES_SECONDS[made - 1] ?? 0) * 1_000;
      const late = ((await row(id))?.dueAt.getTime() ?? Infinity) - planned;
      assert.ok(late < MINUTE_MS - 15_000, `taken ${late} ms after its time`);
      if (made > 0) {
        assert.ok(late > 20_000, 'the workflow that has it makes it first');
        assert.equal(await takeAndAttempt(), 0);
      }
      await comes(id);
      assert.equal(await takeAndAttempt(), 1);
      assert.equal(arrived(id), made + 1);
      const isLast = made + 1 === MOST_ATTEMPTS;
      assert.deepEqual(
        started,
        isLast ? [] : [{ eventId: id, operationId: store.operationId, attemptsMade: made + 1 }],
      );
      assert.deepEqual([(await row(id))?.attempts, await alerts(id)], isLast ? [undefined, 1] : [made + 1, 0]);
      // The workflow that was late, or starts again, makes no attempt twice.
      assert.deepEqual(await attempt(id, made + 1), { kind: 'not_due' });
    });

  it('after the last, and its alert with it: the alert is raised', async () => {
    const id = await event();
    for (let number = 1; number <= MOST_ATTEMPTS; number += 1) await attempt(id, number);
    assert.equal(await alerts(id), 0);
    await comes(id);
    await takeAndAttempt();
    assert.deepEqual([await row(id), await alerts(id), arrived(id)], [null, 1, MOST_ATTEMPTS]);
  });

  it('forged, for an event that the operation does not have: nothing is sent, and it is not tried again', async () => {
    const id = await event();
    const of = (eventId: string, operationId: string) =>
      activities().deliverEvent({ eventId, operationId, attempt: 1 });
    await assert.rejects(of(id, newId('operation')), { type: 'ForgedStep', nonRetryable: true });
    await assert.rejects(of(newId('event'), store.operationId), { type: 'ForgedStep', nonRetryable: true });
    assert.equal(arrived(id), 0);
    await comes(id);
    assert.equal((await row(id))?.attempts, 0);
  });

  it('awaited is the next attempt of an event that is not accepted; who asks for another event is forged', async () => {
    const id = await event();
    await attempt(id, 1);
    const answers = () => Promise.all([1, 2, 3].map(async (number) => (await awaits(id, number)).isAwaited));
    assert.deepEqual(await answers(), [false, true, false]);
    receiver.answerWith(200);
    await attempt(id, 2);
    assert.deepEqual(await answers(), [false, false, false]);
    await assert.rejects(awaits(id, 2, newId('operation')), { type: 'ForgedStep', nonRetryable: true });
    await assert.rejects(awaits(newId('event'), 2), { type: 'ForgedStep', nonRetryable: true });
  });
});
