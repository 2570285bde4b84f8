// The alerts of deliveries. A receiver that answers 401: an alert at the first attempt already, one for the operation
// however many events it refuses. One that never accepts an event: an alert after the last attempt, not before.
import assert from 'node:assert/strict';
import { BlockList } from 'node:net';
import { pino } from 'pino';
import { OperationClocks } from '../../../activities/operation-clocks.js';
import { createEgressAgent } from '../../../activities/webhooks/egress.js';
import { createWebhookActivities } from '../../../activities/webhooks/deliver.js';
import { newId } from '../../../domain/identifiers.js';
import { type Receiver, startReceiver } from '../../../lab/harness/receiver.js';
import { openStore, type StoreFixture } from '../store/fixtures.js';
import { storedEvent } from '../../support/stored-events.js';

describe('webhooks that the operator answers 401', () => {
  let store: StoreFixture;
  let receiver: Receiver;
  const rules = { environment: 'sandbox', sandboxNetworks: new BlockList() } as const;
  const agent = createEgressAgent(rules);
  before(async () => {
    [store, receiver] = await Promise.all([openStore(), startReceiver()]);
    await store.database.operation.update({ where: { id: store.operationId }, data: { webhookUrl: receiver.url } });
  });
  after(async () => {
    await Promise.all([agent.close(), receiver.close(), store.close()]);
  });

  const event = () => storedEvent(store);
  const activities = () =>
    createWebhookActivities({
      ...store,
      agent,
      rules,
      logger: pino({ level: 'silent' }),
      clock: Date.now,
      clocks: new OperationClocks('sandbox'),
    });
  const deliver = (eventId: string, attempt = 1) =>
    activities().deliverEvent({ eventId, operationId: store.operationId, attempt });
  const alerts = async () =>
    (await store.database.alert.findMany({ orderBy: { createdAt: 'asc' } })).map(({ kind, objectId, resolvedAt }) => [
      kind,
      objectId,
      resolvedAt,
    ]);

  it('other failures raise none', async () => {
    receiver.answerWith(500);
    assert.equal((await deliver(await event())).kind, 'failed');
    assert.deepEqual(await alerts(), []);
  });

  it('the first attempt raises WEBHOOK_REFUSED for the operation; further events and attempts raise no other', async () => {
    receiver.answerWith(401);
    const first = await event();
    const { nextAt, ...refused } = { nextAt: '', ...(await deliver(first)) };
    assert.deepEqual(refused, { kind: 'failed', status: 401, reason: 'answered 401', isOpen: true });
    assert.match(nextAt, /Z$/);
    assert.deepEqual(await alerts(), [['WEBHOOK_REFUSED', store.operationId, null]]);
    await deliver(first, 2);
    await deliver(await event());
    assert.equal((await alerts()).length, 1);
    assert.match((await store.database.alert.findFirstOrThrow()).detail, new RegExp(first));
  });

  it('after a person has resolved it, the next refusal raises a new one', async () => {
    await store.database.alert.updateMany({ data: { resolvedAt: new Date() } });
    await deliver(await event());
    assert.equal((await alerts()).filter(([, , resolvedAt]) => resolvedAt === null).length, 1);
  });

  it('WEBHOOK_EXHAUSTED: only for an event of the operation whose last attempt has failed', async () => {
    await store.database.alert.deleteMany();
    const { operationId } = store;
    const id = await event();
    const raise = (eventId = id, of = operationId) =>
      activities().endExhausted({ eventId, operationId: of, at: new Date().toISOString() });
    await raise();
    receiver.answerWith(500);
    await deliver(id);
    await raise();
    assert.deepEqual(await alerts(), [], 'another attempt is due');
    for (let attempt = 2; attempt <= 10; attempt += 1) await deliver(id, attempt);
    assert.equal(await store.database.eventOutbox.count({ where: { eventId: id, attempts: 10 } }), 1);
    await raise();
    await raise();
    assert.deepEqual(await alerts(), [['WEBHOOK_EXHAUSTED', id, null]]);
    assert.equal(await store.database.eventOutbox.count({ where: { eventId: id } }), 0);
    await store.database.alert.deleteMany();
    receiver.answerWith(200);
    const accepted = await event();
    await deliver(accepted);
    await raise(accepted);
    assert.deepEqual(await alerts(), []);
    for (const [eventId, of] of [
      [newId('event'), operationId],
      [id, newId('operation')],
    ] as const)
      await assert.rejects(raise(eventId, of), { type: 'ForgedStep' });
  });
});
