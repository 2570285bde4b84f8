// Workflows whose code never yields, or fails, in a worker over a Temporal server: the other workflows of the same
// worker go on, and the worker knows which workflow fails and why.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Connection, WorkflowClient } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { DATA_CONVERTER } from '../../platform/temporal/connection.js';
import { progressOf } from '../../platform/temporal/open-runs.js';
import { eventually } from '../../lab/harness/eventually.js';
import { testServers } from '../../lab/harness/stack.js';
import { createNamespace } from '../../lab/harness/temporal-namespace.js';
import { type FailedTask, noteDifferences, onFailedTask, separateSuspects } from '../../worker/suspects-thread.js';
import { SUSPECT_CODE_LIMIT_MS, WORKFLOW_CODE_LIMIT } from '../../worker/workflow-code-limit.js';
import { brokenBundle, ENDLESS_TYPES } from '../support/broken-workflows.js';
import { installQuietRuntime } from '../support/temporal.js';

const TASK_QUEUE = 'broken';

describe('broken workflow code in a worker', () => {
  const failed: FailedTask[] = [];
  let client: WorkflowClient;
  let close: () => Promise<void>;

  before(async () => {
    installQuietRuntime();
    separateSuspects();
    const stopNoting = onFailedTask((one) => failed.push(one));
    const { temporalAddress: address } = testServers();
    const namespace = `test-${randomUUID()}`;
    await createNamespace(address, namespace);
    const connection = await Connection.connect({ address });
    const native = await NativeConnection.connect({ address });
    client = new WorkflowClient({ dataConverter: DATA_CONVERTER, connection, namespace });
    const worker = await Worker.create({
      connection: native,
      namespace,
      taskQueue: TASK_QUEUE,
      workflowBundle: await brokenBundle(),
      reuseV8Context: true,
      ...WORKFLOW_CODE_LIMIT,
      shutdownForceTime: '2s',
      // A few others are enough to have a workflow evicted, so that its next task replays its history.
      maxCachedWorkflows: 2,
      stickyQueueScheduleToStartTimeout: '1s',
    });
    noteDifferences(worker);
    const running = worker.run();
    close = async () => {
      stopNoting();
      worker.shutdown();
      await running;
      await native.close();
      await connection.close();
    };
  });
  after(() => close());

  const start = (workflowType: string, input: unknown) =>
    client.start(workflowType, { taskQueue: TASK_QUEUE, workflowId: `${workflowType}-${randomUUID()}`, args: [input] });
  const failure = (workflowId: string) =>
    eventually(() => failed.find((one) => one.workflowId === workflowId), 'the worker notices the failure');

  for (const kind of ENDLESS_TYPES)
    it(`${kind}: the others wait for it once, and not for its repeats`, async () => {
      const { workflowId } = await start(kind, true);
      assert.deepEqual((await failure(workflowId)).reason, { is: 'endless' });
      // The server repeats the task at once, in the thread of suspects.
      const seenBefore = failed.length;
      const timesMs: number[] = [];
      while (failed.length === seenBefore) {
        const startedMs = performance.now();
        await (await start('honest', 0)).result();
        timesMs.push(performance.now() - startedMs);
      }
      const slowest = Math.max(...timesMs.slice(0, -1));
      assert.ok(slowest < SUSPECT_CODE_LIMIT_MS / 2, `another workflow took ${slowest} ms`);
      await client.getHandle(workflowId).terminate();
    });

  it('the reason names the error and its place, without its message', async () => {
    const { workflowId } = await start('failing', null);
    const { reason } = await failure(workflowId);
    assert.ok(reason.is === 'error');
    assert.deepEqual([reason.error, reason.where], ['TypeError', 'failing']);
    await eventually(async () => {
      const seen = await progressOf({ workflow: client } as never, workflowId);
      return seen !== null && seen.failedTasks > 0;
    }, 'the server counts the failure');
    await client.getHandle(workflowId).terminate();
  });

  it('a history that its code does not match', async () => {
    const { workflowId } = await start('changing', null);
    await Promise.all(Array.from({ length: 3 }, () => start('honest', 3)));
    assert.deepEqual((await failure(workflowId)).reason, { is: 'history' });
    await client.getHandle(workflowId).terminate();
  });
});
