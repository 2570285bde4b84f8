// A range of events is delivered again: each by its own delivery, at a bounded pace.
import assert from 'node:assert/strict';
import {
  REDELIVERY_WORKFLOW,
  type RedeliveryInput,
  rangeRedeliveryOptions,
  redeliveryWorkflowId,
} from '../../contract/temporal/redelivery.js';
import { eventually } from '../../tools/harness/eventually.js';
import { useGateway } from './harness/gateway.js';

const OPERATION = 'op_0000000000000000000000000000abcd';
const SPAN = { from: '2026-11-23T14:00:00.000Z', to: '2026-11-23T15:00:00.000Z', selection: 'all' } as const;

describe('redelivery of a range', () => {
  const gateway = useGateway();

  /** Events of a separate object, which nothing has delivered. @returns their places, which are their sequences */
  function publish(events: number): { ids: string[]; object: string; first: number } {
    const { database } = gateway.world;
    const first = database.events.length;
    const object = `dep_${String(first).padStart(32, '0')}`;
    const ids = Array.from({ length: events }, (_, place) => `evt_${String(first + place).padStart(32, '0')}`);
    for (const [place, id] of ids.entries())
      database.events.push({
        ...{ id, type: 'deposit.paid', operationId: OPERATION, objectId: object },
        version: place + 1,
        object: {} as never,
      });
    return { ids, object, first };
  }

  const start = (range: Pick<RedeliveryInput, 'first' | 'last'>, pauseSeconds = 0) =>
    gateway.temporal.client.start(
      REDELIVERY_WORKFLOW,
      rangeRedeliveryOptions({ operationId: OPERATION, ...SPAN, ...range, pauseSeconds, done: 0 }),
    );

  it('each event is sent once, the others of the operation not', async () => {
    const before = publish(2);
    const { ids, object, first } = publish(3);
    const handle = await start({ first: String(first), last: String(first + 2) });
    assert.deepEqual(await handle.result(), { events: 3 });
    const inbox = gateway.world.receiver.of(object);
    await eventually(() => inbox.attempts.length === 3, 'all are delivered');
    assert.deepEqual(
      inbox.attempts.map(({ eventId, attempt }) => [eventId, attempt]).sort(),
      ids.map((id) => [id, 1]),
    );
    assert.equal(gateway.world.receiver.of(before.object).attempts.length, 0);
  });

  it('an event whose retries are under way is sent at once', async () => {
    const { ids, object, first } = publish(1);
    const inbox = gateway.world.receiver.of(object);
    inbox.answers.push(500, 500);
    const range = { first: String(first), last: String(first) };
    await (await start(range)).result();
    await eventually(() => inbox.attempts.length === 1, 'the first attempt');
    await (await start(range)).result();
    await eventually(() => inbox.attempts.length >= 2, 'the attempt that was asked for');
    await (await start(range)).result();
    assert.equal(await gateway.temporal.client.getHandle(ids[0] as string).result(), 'delivered');
    assert.equal(inbox.attempts.length, 3);
  });

  it('one at a time: a second is refused while the first is under way', async () => {
    const { first } = publish(60);
    const range = { first: String(first), last: String(first + 59) };
    const handle = await start(range, 2);
    await assert.rejects(start(range), { name: 'WorkflowExecutionAlreadyStartedError' });
    assert.deepEqual(await handle.result(), { events: 60 });
  });

  it('a long one continues in further runs, and every event is sent once', async () => {
    const { ids, object, first } = publish(520);
    const handle = await start({ first: String(first), last: String(first + 519) });
    assert.deepEqual(await handle.result(), { events: 520 });
    const { attempts } = gateway.world.receiver.of(object);
    await eventually(() => attempts.length === 520, 'all are delivered');
    assert.equal(new Set(attempts.map(({ eventId }) => eventId)).size, ids.length);
    const { runId } = await gateway.temporal.client.getHandle(redeliveryWorkflowId(OPERATION)).describe();
    assert.notEqual(runId, handle.firstExecutionRunId);
    // 520 deliveries are 520 workflows: a busy machine takes a while.
  }).timeout(120_000);
});
