// The schedules on a real Temporal server: each made once, daily, and its run does its work in real Postgres.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Client } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { pino } from 'pino';
import { offeredAt } from '../../support/intercepted.js';
import { createReconciliationActivities } from '../../../activities/operations/day-close.js';
import { createRotationActivities } from '../../../activities/operations/housekeeping.js';
import { DAY_CLOSE_SCHEDULE, HOUSEKEEPING_SCHEDULE } from '../../../contract/temporal/scheduled-work.js';
import { TASK_QUEUES } from '../../../contract/temporal/workers.js';
import { RECEIVED_PARTS } from '../../../domain/receipts.js';
import { DATA_CONVERTER } from '../../../platform/temporal/connection.js';
import {
  ensureSchedule,
  keepSchedule,
  type OwnSchedule,
  SCHEDULES,
  sweepSchedules,
} from '../../../worker/schedules.js';
import { WORKFLOW_CODE_LIMIT } from '../../../worker/workflow-code-limit.js';
import { installQuietRuntime, workflowCode } from '../../support/temporal.js';
import { type Planted, plantOperation } from './planted.js';
import { eventually } from '../../../lab/harness/eventually.js';

/** A day is closed two hours after its end in UTC. */
const lastClosedDay = () => new Date(Date.now() - 26 * 3_600_000).toISOString().slice(0, 10);

describe('the schedules', function () {
  this.timeout(60_000);
  let connection: NativeConnection;
  let client: Client;
  let planted: Planted;
  const namespace = `day-close-${randomUUID()}`;

  before(async () => {
    installQuietRuntime();
    const address = process.env['TEST_TEMPORAL_ADDRESS'];
    if (!address) throw new Error('TEST_TEMPORAL_ADDRESS is not set: run the tests by `npm test`');
    connection = await NativeConnection.connect({ address });
    client = new Client({ dataConverter: DATA_CONVERTER, connection, namespace });
    await connection.workflowService.registerNamespace({
      namespace,
      workflowExecutionRetentionPeriod: { seconds: 86_400 as never },
    });
    // A new namespace is known to every part of the server only after a moment.
    await eventually(isKnown, 'the namespace is known');
    planted = await plantOperation(new Date(Date.now() - 5 * 86_400_000).toISOString());
  });
  after(async () => {
    await planted.close();
    await connection.close();
  });
  const isKnown = () =>
    client.workflow.count().then(
      () => true,
      () => false,
    );

  const lists = [{ name: 'a' as const, lists: RECEIVED_PARTS }];
  const everyMs = ({ at: { hour, minute } }: OwnSchedule) =>
    hour !== '*' ? 86_400_000 : typeof minute === 'number' ? 3_600_000 : minute.step * 60_000;

  for (const schedule of [...SCHEDULES, ...sweepSchedules(lists)]) {
    it(`create ${schedule.id} once, however many workers start at once; a paused one stays paused`, async () => {
      const outcomes = await Promise.all(Array.from({ length: 5 }, () => ensureSchedule(client, schedule)));
      assert.deepEqual(outcomes.sort(), ['kept', 'kept', 'kept', 'kept', 'made']);
      const handle = client.schedule.getHandle(schedule.id);
      const { info } = await handle.describe();
      const next = info.nextActionTimes[0];
      const { hour, minute } = schedule.at;
      assert.equal(next?.getUTCSeconds(), 0);
      if (typeof minute === 'number') assert.equal(next?.getUTCMinutes(), minute);
      if (hour !== '*') assert.equal(next?.getUTCHours(), hour);
      assert.ok((next?.getTime() ?? 0) - Date.now() <= everyMs(schedule), 'daily, every hour or every few minutes');
      await handle.pause('by hand');
      assert.equal(await ensureSchedule(client, schedule), 'kept');
      assert.equal((await handle.describe()).state.paused, true);
      await handle.unpause();
    });
  }

  it('replace an older or changed definition; a paused one stays paused', async () => {
    const schedule = { ...SCHEDULES[0]!, id: 'changing' };
    assert.equal(
      await ensureSchedule(client, { ...schedule, at: { hour: 22, minute: 0 }, summary: 'as it was' }),
      'made',
    );
    const handle = client.schedule.getHandle(schedule.id);
    await handle.pause('by hand');
    assert.equal(await ensureSchedule(client, schedule), 'changed');
    const { info, state, action } = await handle.describe();
    assert.equal(info.nextActionTimes[0]?.getUTCHours(), schedule.at.hour);
    assert.deepEqual([state.paused, state.note], [true, 'by hand']);
    assert.deepEqual([action.workflowType, action.args], [schedule.workflowType, schedule.args]);
    assert.equal(await ensureSchedule(client, schedule), 'kept');
    await handle.delete();
  });

  it('the run of housekeeping raises an alert for a key that has to be rotated', async () => {
    const { database, operationId } = planted;
    await database.apiKey.create({
      data: {
        keyId: 'key_test_old',
        operationId,
        environment: 'sandbox',
        secretSealed: Buffer.from('x'),
        scopes: ['read'],
        createdAt: new Date(Date.now() - 76 * 86_400_000),
      },
    });
    const worker = await Worker.create({
      connection,
      namespace,
      taskQueue: TASK_QUEUES.payments,
      workflowBundle: await workflowCode(),
      ...WORKFLOW_CODE_LIMIT,
      activities: offeredAt(Date.now, createRotationActivities(database, pino({ level: 'silent' }))),
    });
    await worker.runUntil(async () => {
      await client.schedule.getHandle(HOUSEKEEPING_SCHEDULE).trigger();
      const alerts = () => database.alert.count({ where: { objectId: 'key_test_old' } });
      await eventually(async () => (await alerts()) > 0, 'the alert');
    });
    assert.deepEqual(
      (await database.alert.findMany({ where: { objectId: 'key_test_old' } })).map(({ kind }) => kind),
      ['KEY_ROTATION_DUE'],
    );
  });

  it('the run of the day close freezes every closed day of every operation', async () => {
    const { database } = planted;
    await planted.paidDeposit(new Date(Date.now() - 3 * 86_400_000).toISOString());
    await database.alert.create({
      data: {
        id: `alr_${randomUUID()}`,
        operationId: planted.operationId,
        kind: 'DAY_NOT_FROZEN',
        objectId: planted.operationId,
        detail: 'x',
        createdAt: new Date(),
      },
    });
    const worker = await Worker.create({
      connection,
      namespace,
      taskQueue: TASK_QUEUES.payments,
      workflowBundle: await workflowCode(),
      ...WORKFLOW_CODE_LIMIT,
      activities: offeredAt(Date.now, createReconciliationActivities(database, pino({ level: 'silent' }))),
    });
    await worker.runUntil(async () => {
      await client.schedule.getHandle(DAY_CLOSE_SCHEDULE).trigger();
      const date = new Date(lastClosedDay());
      await eventually(async () => (await database.reconciliationDay.count({ where: { date } })) > 0, 'the closed day');
    });
    const days = await database.reconciliationDay.findMany({
      where: { operationId: planted.operationId },
      orderBy: { date: 'asc' },
    });
    assert.equal(days.at(-1)?.date.toISOString().slice(0, 10), lastClosedDay());
    assert.equal(
      days.reduce((sum, { itemCount }) => sum + itemCount, 0),
      1,
    );
    assert.ok(days.length >= 4);
    assert.equal(
      await database.alert.count({ where: { kind: 'DAY_NOT_FROZEN', resolvedAt: null } }),
      0,
      'the condition has passed',
    );
  });

  it('a worker that cannot make it says so and tries again, without failing', async () => {
    let calls = 0;
    const lines: string[] = [];
    const flaky = {
      withDeadline: async (_: number, call: () => Promise<unknown>) =>
        ++calls < 3 ? Promise.reject(new Error('down')) : call(),
      schedule: client.schedule,
    } as unknown as Client;
    const log = {
      info: (_: object, message: string) => void lines.push(message),
      warn: (_: object, message: string) => void lines.push(message),
    };
    const keeper = keepSchedule(flaky, SCHEDULES[0]!, log, 20);
    await eventually(() => lines.length >= 3, 'three attempts');
    keeper.stop();
    assert.deepEqual(lines, [
      'a schedule could not be made; trying again',
      'a schedule could not be made; trying again',
      'scheduled',
    ]);
  });
});
