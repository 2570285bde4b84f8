// Attempts from memory: which are taken, in which order, what becomes of one that fails, and what slow operators may
// use.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import type { DeliveryAttemptInput, DeliveryResult } from '../../../activities/webhooks/deliver.js';
import { MemoryAttempts } from '../../../activities/webhooks/memory-attempts.js';
import { DELIVERY_PAUSES_SECONDS, type WebhookDeliveryInput } from '../../../contract/temporal/webhook-delivery.js';
import { eventually } from '../../../lab/harness/eventually.js';

const DELIVERY = {
  target: { url: 'https://operator.test', secrets: [] },
  body: Buffer.of(),
  createdAt: new Date(0).toISOString(),
};
const DELIVERED = { kind: 'delivered', status: 200 } as const;
const FAILED = { kind: 'failed', status: 500, reason: 'answered 500', isOpen: true } as const;
const TEN_MINUTES_MS = 600_000;
const MOST_ATTEMPTS = DELIVERY_PAUSES_SECONDS.length + 1;

describe('attempts from memory', () => {
  let nowMs: number;
  let made: DeliveryAttemptInput[];
  let started: WebhookDeliveryInput[];
  let exhausted: string[];
  let answer: (eventId: string) => Promise<DeliveryResult>;
  let startDelivery: () => Promise<void>;
  let attempts: MemoryAttempts;

  beforeEach(() => {
    [nowMs, made, started, exhausted] = [0, [], [], []];
    answer = async () => DELIVERED;
    startDelivery = async () => undefined;
    attempts = new MemoryAttempts({
      deliver: (input) => {
        made.push(input);
        return answer(input.eventId);
      },
      endExhausted: async ({ eventId }) => void exhausted.push(eventId),
      startDelivery: async (delivery) => {
        started.push(delivery);
        await startDelivery();
      },
      logger: pino({ level: 'silent' }),
      afterMs: 0,
      nowMs: () => nowMs,
    });
  });

  let events = 0;
  const begin = (operationId = 'op_a', objectId = `dep_${(events += 1)}`, eventId = `evt_of_${objectId}`) =>
    attempts.begin({ eventId, operationId, objectId }, DELIVERY);
  const deliver = ({ request = '', attempts: made = 0, objectId = 'dep_a', eventId = 'evt_a' } = {}) =>
    attempts.deliver({
      ...{ eventId, operationId: 'op_a', objectId, request, attempts: made },
      ...{ dueAt: new Date(0).toISOString(), delivery: DELIVERY },
    });
  const takes = (operationId: string) => attempts.takes({ operationId, objectId: 'dep_other' }) !== null;
  /** Attempts that stay under way until `end` is called. */
  const held = () => {
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    answer = () => ended.then(() => DELIVERED);
    return { end };
  };

  it('accepted: nothing more is done', async () => {
    begin();
    await attempts.close();
    assert.deepEqual([started, exhausted], [[], []]);
  });

  it('failed, after any attempt: a workflow makes the next; after the last, the delivery ends', async () => {
    answer = async () => FAILED;
    begin('op_a', 'dep_a', 'evt_a');
    for (let attempt = 1; attempt < MOST_ATTEMPTS; attempt += 1) deliver({ attempts: attempt });
    await attempts.close();
    assert.deepEqual(
      started.toSorted((one, other) => one.attemptsMade - other.attemptsMade),
      DELIVERY_PAUSES_SECONDS.map((_, index) => ({ eventId: 'evt_a', operationId: 'op_a', attemptsMade: index + 1 })),
    );
    assert.deepEqual(exhausted, ['evt_a']);
  });

  it('failed as a requested attempt: the schedule begins, unless one is under way', async () => {
    answer = async () => FAILED;
    deliver({ request: 'somebody' });
    await sleep(20);
    assert.deepEqual(started, [{ eventId: 'evt_a', operationId: 'op_a', attemptsMade: 1 }]);
    answer = async () => ({ ...FAILED, isOpen: false });
    deliver({ request: 'somebody' });
    await attempts.close();
    assert.deepEqual([made.length, started.length], [2, 1]);
  });

  it('an event whose last attempt failed without its alert: the alert alone', async () => {
    deliver({ attempts: MOST_ATTEMPTS });
    await attempts.close();
    assert.deepEqual([made, exhausted], [[], ['evt_a']]);
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
    it(`${what}: nobody is told here; the event is taken again`, async () => {
      broken();
      begin();
      await attempts.close();
    });

  it('the first attempts of one object follow one another, those of others do not wait', async () => {
    const order: string[] = [];
    answer = async (eventId) => {
      order.push(`${eventId} begins`);
      await sleep(eventId === 'evt_1' ? 50 : 0);
      order.push(`${eventId} ends`);
      return DELIVERED;
    };
    begin('op_a', 'dep_a', 'evt_1');
    assert.deepEqual(attempts.takes({ operationId: 'op_a', objectId: 'dep_a' }), ['evt_1']);
    assert.deepEqual(attempts.takes({ operationId: 'op_a', objectId: 'dep_b' }), []);
    begin('op_a', 'dep_a', 'evt_2');
    begin('op_a', 'dep_b', 'evt_3');
    await attempts.close();
    const [ended, began] = [order.indexOf('evt_1 ends'), order.indexOf('evt_2 begins')];
    assert.ok(ended >= 0 && ended < began, order.join());
    assert.ok(order.indexOf('evt_3 ends') < ended, order.join());
  });

  it('a first attempt that waited too long for an earlier one is left to whoever takes it', async () => {
    const { end } = held();
    begin('op_a', 'dep_a', 'evt_1');
    begin('op_a', 'dep_a', 'evt_2');
    await sleep(20);
    nowMs = 10_001;
    end();
    await attempts.close();
    assert.deepEqual(
      made.map(({ eventId }) => eventId),
      ['evt_1'],
    );
  });

  it('a requested attempt, and a repeat, wait for no other', async () => {
    const { end } = held();
    begin('op_a', 'dep_a', 'evt_1');
    deliver({ request: 'somebody', eventId: 'evt_2' });
    deliver({ attempts: 3, eventId: 'evt_3' });
    await sleep(20);
    assert.equal(made.length, 3);
    end();
  });

  it('at most 200 of one operation and 1,000 in all are under way', async () => {
    const { end } = held();
    for (let event = 0; event < 200; event += 1) begin();
    assert.deepEqual([takes('op_a'), takes('op_b'), attempts.fullOperations], [false, true, ['op_a']]);
    for (let operation = 0; operation < 800; operation += 1) begin(`op_${operation}`);
    assert.equal(takes('op_b'), false);
    await sleep(20);
    end();
    await sleep(20);
    assert.deepEqual([takes('op_a'), takes('op_b'), attempts.fullOperations], [true, true, []]);
  });

  it('operations that answer after more than a second have 800 in all, for ten minutes; others are not limited', async () => {
    const { end } = held();
    const slow = Array.from({ length: 10 }, (_, index) => `op_slow_${index}`);
    for (const operation of slow) for (let event = 0; event < 80; event += 1) begin(operation);
    await eventually(() => attempts.fullOperations.length === slow.length, 'a second has passed', 5_000);
    assert.deepEqual([takes('op_slow_0'), takes('op_quick')], [false, true]);
    assert.deepEqual(attempts.fullOperations.toSorted(), slow);
    nowMs = TEN_MINUTES_MS - 1;
    assert.equal(takes('op_slow_0'), false);
    nowMs = TEN_MINUTES_MS;
    assert.equal(takes('op_slow_0'), true);
    end();
  });

  it('says how many more may begin: none in a process that ends', async () => {
    const { end } = held();
    for (let operation = 0; operation < 150; operation += 1) begin(`op_${operation}`);
    assert.equal(attempts.free, 850);
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
    assert.deepEqual([takes('op_a'), isClosed], [false, false]);
    end();
    await closed;
  });
});
