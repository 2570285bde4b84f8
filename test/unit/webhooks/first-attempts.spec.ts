// First attempts: which are taken, what becomes of one that fails, and which operations are spared.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { MemoryFirstAttempts } from '../../../activities/webhooks/first-attempts.js';
import type { DeliveryResult } from '../../../activities/webhooks/types.js';
import type { WebhookDeliveryInput } from '../../../contract/temporal/webhook-delivery.js';

const DELIVERY = { target: { url: 'https://operator.test', secrets: [] }, body: Buffer.of(), createdAt: new Date(0).toISOString() };
const DELIVERED = { kind: 'delivered', status: 200 } as const;
const FAILED = { kind: 'failed', status: 500, reason: 'answered 500' } as const;
const TEN_MINUTES_MS = 600_000;

describe('first attempts from memory', () => {
  let nowMs: number;
  let started: WebhookDeliveryInput[];
  let answer: () => Promise<DeliveryResult>;
  let startDelivery: () => Promise<void>;
  let attempts: MemoryFirstAttempts;

  beforeEach(() => {
    [nowMs, started] = [0, []];
    answer = async () => DELIVERED;
    startDelivery = async () => undefined;
    attempts = new MemoryFirstAttempts({
      deliver: () => answer(),
      startDelivery: async (delivery) => {
        started.push(delivery);
        await startDelivery();
      },
      logger: pino({ level: 'silent' }),
      afterMs: 0,
      nowMs: () => nowMs,
    });
  });

  const begin = (operationId = 'op_a') =>
    attempts.begin({ eventId: `evt_of_${operationId}`, operationId, objectId: 'dep_a' }, DELIVERY);
  const deliver = (operationId = 'op_a') =>
    attempts.deliver({ eventId: `evt_of_${operationId}`, operationId, objectId: 'dep_a', delivery: DELIVERY });
  /** Attempts that stay under way until `end` is called. */
  const held = () => {
    const ends: (() => void)[] = [];
    answer = () => new Promise((resolve) => ends.push(() => resolve(DELIVERED)));
    return { end: () => ends.splice(0).forEach((end) => end()) };
  };

  it('accepted: nothing more is done', async () => {
    begin();
    await attempts.close();
    assert.deepEqual(started, []);
  });

  it('failed: a workflow continues with the second attempt', async () => {
    answer = async () => FAILED;
    begin();
    await attempts.close();
    assert.deepEqual(started, [{ eventId: 'evt_of_op_a', operationId: 'op_a', attemptsMade: 1 }]);
  });

  for (const [what, broken] of [
    ['the attempt breaks off', () => (answer = () => Promise.reject(new Error('no database')))],
    [
      'the workflow cannot be started',
      () => {
        answer = async () => FAILED;
        startDelivery = () => Promise.reject(new Error('no Temporal'));
      },
    ],
  ] as const)
    it(`${what}: nobody is told here; the check of deliveries finds it`, async () => {
      broken();
      begin();
      await attempts.close();
    });

  it('at most 20 of one operation and 200 in all are under way', async () => {
    const { end } = held();
    for (let event = 0; event < 20; event += 1) begin();
    assert.deepEqual([attempts.takes('op_a'), attempts.takes('op_b')], [false, true]);
    for (let operation = 0; operation < 180; operation += 1) begin(`op_${operation}`);
    assert.equal(attempts.takes('op_b'), false);
    await sleep(20);
    end();
    await sleep(20);
    assert.deepEqual([attempts.takes('op_a'), attempts.takes('op_b')], [true, true]);
  });

  it('an operation that answers after more than a second is spared for ten minutes, and no other', async () => {
    begin('op_quick');
    await sleep(20);
    const { end } = held();
    begin();
    await sleep(1_200);
    end();
    assert.deepEqual(
      ['op_a', 'op_quick', 'op_b'].map((id) => attempts.takes(id)),
      [false, true, true],
    );
    nowMs = TEN_MINUTES_MS - 1;
    assert.equal(attempts.takes('op_a'), false);
    nowMs = TEN_MINUTES_MS;
    assert.equal(attempts.takes('op_a'), true);
  });

  it('what came out of the outbox is delivered here', async () => {
    answer = async () => FAILED;
    deliver();
    await attempts.close();
    assert.deepEqual(started, [{ eventId: 'evt_of_op_a', operationId: 'op_a', attemptsMade: 1 }]);
  });

  it('what came out of the outbox for an operation that is spared is delivered by a workflow', async () => {
    const { end } = held();
    for (let event = 0; event < 20; event += 1) begin();
    answer = () => Promise.reject(new Error('nobody asks the operator'));
    deliver();
    await sleep(20);
    assert.deepEqual(started, [{ eventId: 'evt_of_op_a', operationId: 'op_a', attemptsMade: 0 }]);
    end();
  });

  it('says how many more may begin: none in a process that ends', async () => {
    const { end } = held();
    for (let operation = 0; operation < 150; operation += 1) begin(`op_${operation}`);
    assert.equal(attempts.free, 50);
    await sleep(20);
    end();
    await attempts.close();
    assert.equal(attempts.free, 0);
  });

  it('a process that ends takes no more, and waits for the attempts under way', async () => {
    const { end } = held();
    begin();
    let isClosed = false;
    const closed = attempts.close().then(() => (isClosed = true));
    await sleep(20);
    assert.deepEqual([attempts.takes('op_a'), isClosed], [false, false]);
    end();
    await closed;
  });
});
