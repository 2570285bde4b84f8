// The nightly day close: every book, missed days, and a book that cannot be frozen.
import assert from 'node:assert/strict';
import {
  DAY_CLOSE_START,
  DAY_CLOSE_WORKFLOW,
  type DayCloseInput,
  type DayCloseResult,
} from '../../contract/temporal/scheduled-work.js';
import { TASK_QUEUES } from '../../contract/temporal/workers.js';
import { useGateway } from './harness/gateway.js';
import { newId } from './harness/stage.js';

/** A UTC day is closed at 02:00 UTC of the next day (specification, GET /reconciliation). */
const lastClosedDay = (at: string) => new Date(Date.parse(at) - 26 * 3_600_000).toISOString().slice(0, 10);

describe('the day close', () => {
  const gateway = useGateway();
  const run = (): Promise<DayCloseResult> =>
    gateway.temporal.client.execute<(input: DayCloseInput) => Promise<DayCloseResult>>(DAY_CLOSE_WORKFLOW, {
      workflowId: newId('day-close-'),
      taskQueue: TASK_QUEUES.payments,
      args: [DAY_CLOSE_START],
    });
  beforeEach(() => {
    gateway.world.operations.openDays.clear();
    gateway.world.operations.freezes.length = 0;
  });

  it('freezes the days of every book through the last closed one, by the activities’ clock', async () => {
    const { operations } = gateway.world;
    for (const [id, days] of [
      ['op_a', 1],
      ['op_b', 3],
      ['op_c', 0],
    ] as const)
      operations.openDays.set(id, days);
    const before = await gateway.now();
    assert.deepEqual(await run(), { books: 2, days: 4, failed: 0 });
    assert.deepEqual(
      operations.freezes.map(({ operationId, at }) => [operationId, lastClosedDay(at)]),
      [
        ['op_a', lastClosedDay(before)],
        ['op_b', lastClosedDay(before)],
      ],
    );
    assert.ok(Math.abs(Date.parse(operations.freezes[0]?.at ?? '') - Date.parse(before)) < 60_000);
    assert.deepEqual(await run(), { books: 0, days: 0, failed: 0 }, 'a second run finds nothing to do');
  });

  it('catches up a book that is months behind, in several steps', async () => {
    gateway.world.operations.openDays.set('op_late', 100);
    assert.deepEqual(await run(), { books: 1, days: 100, failed: 0 });
    assert.equal(gateway.world.operations.freezes.length, 4);
  });

  it('reports a book that fails and continues with the others', async () => {
    const { operations, database } = gateway.world;
    const damaged = newId('op_');
    for (const id of ['op_a', damaged, 'op_z']) operations.openDays.set(id, 1);
    operations.damaged.add(damaged);
    assert.deepEqual(await run(), { books: 3, days: 2, failed: 1 });
    assert.deepEqual(
      database.alerts.filter(({ objectId }) => objectId === damaged).map(({ kind }) => kind),
      ['DAY_NOT_FROZEN'],
    );
  });
});
