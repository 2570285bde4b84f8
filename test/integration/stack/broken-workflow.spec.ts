// A deposit whose workflow code never yields, in each of two workers: the workers live, other deposits go on as fast as
// before, the deposit is alerted with the reason, and the hourly check reopens it from its row. An impostor under a
// deposit's id is ended.
import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import type { Client } from '@temporalio/client';
import pg from 'pg';
import { DEPOSIT_WORKFLOW } from '../../../contract/temporal/deposit.js';
import { OPEN_CHECK_SCHEDULE, type OpenCheckResult } from '../../../contract/temporal/open-check.js';
import { TASK_QUEUES } from '../../../contract/temporal/task-queues.js';
import { projectRoot } from '../../../platform/config/project-root.js';
import { progressOf } from '../../../platform/temporal/open-runs.js';
import { eventually } from '../../../tools/harness/eventually.js';
import { newDeposit, once } from '../../../tools/harness/payments.js';
import { type Stack, startStack } from '../../../tools/harness/stack.js';
import type { Service } from '../../../tools/processes/service.js';

const BREAK_BUNDLE = pathToFileURL(join(projectRoot(), 'dist', 'test', 'support', 'break-bundle.js')).href;
const MEASURED_MS = 20_000;

describe('a workflow that is broken on purpose', function () {
  this.timeout(300_000);
  let stack: Stack;
  let second: Service;
  let temporal: Client;
  let database: pg.Client;

  before(async () => {
    stack = await startStack({ variables: { NODE_OPTIONS: `--import ${BREAK_BUNDLE}` } });
    second = await stack.addWorker([TASK_QUEUES.payments]);
    temporal = stack.temporal.client;
    database = new pg.Client({ connectionString: stack.databaseUrl });
    await database.connect();
    await database.query("SET session_replication_role = 'replica'");
  });
  after(async () => {
    await database?.end();
    await stack?.close();
  });

  it('stops no worker, slows no other deposit, is alerted within a minute, and is reopened by the hourly check', async () => {
    const processes = [stack.worker.pid, second.pid];
    await latencies(5_000);
    const before = await latencies(MEASURED_MS);
    const id = await old(await created());
    await breakDeposit(id);
    const brokenAtMs = performance.now();
    const during = await latencies(MEASURED_MS);
    console.log(`      ms, before and during: ${JSON.stringify([before, during].map(percentiles))}`);
    assert.ok(percentiles(during).p50 <= 2 * percentiles(before).p50, 'the median');
    assert.ok(percentiles(during).p90 <= 2 * percentiles(before).p90, 'nine of ten');

    const [alert] = await eventually(
      async () => {
        const found = await alerts('WORKFLOW_FAILING', id);
        return found.length > 0 && found;
      },
      'the alert',
      60_000 - (performance.now() - brokenAtMs),
    );
    assert.equal(alert?.detail, 'the workflow deposit makes no progress: its code does not yield');
    assert.equal(alert?.operation_id, stack.operation.operation_id);

    await eventually(async () => ((await progressOf(temporal, id))?.failedTasks ?? 0) >= 4, 'it is given up', 120_000);
    assert.equal((await check()).reopened, 1);
    assert.equal((await alerts('WORKFLOW_REOPENED', id)).length, 1);
    assert.equal((await alerts('WORKFLOW_FAILING', id)).length, 0, 'resolved');
    await stack.client.sandbox.payDeposit(id, once());
    await stack.receiver.waitFor(id, 'deposit.paid');
    assert.deepEqual([stack.worker.pid, second.pid], processes, 'the worker processes lived');
  });

  it('one that waits is left alone, and an impostor is ended, alerted as an attack, and reopened', async () => {
    const waiting = await old(await created());
    const { runId } = await temporal.workflow.getHandle(waiting).describe();
    const id = await old(await created());
    await temporal.workflow.getHandle(id).terminate('by an attacker');
    await temporal.workflow.start('deposit', { workflowId: id, taskQueue: 'attacker', args: [reopening(id)] });

    assert.equal((await check()).reopened, 1);

    assert.equal((await temporal.workflow.getHandle(waiting).describe()).runId, runId);
    const [alert] = await alerts('WORKFLOW_IMPOSTOR', id);
    assert.match(alert?.detail ?? '', /its task queue is another/);
    const { taskQueue, status } = await temporal.workflow.getHandle(id).describe();
    assert.deepEqual([taskQueue, status.name], [TASK_QUEUES.payments, 'RUNNING']);
    await stack.client.sandbox.payDeposit(id, once());
    await stack.receiver.waitFor(id, 'deposit.paid');
  });

  async function created(): Promise<string> {
    return (await stack.client.createDeposit(newDeposit(), once())).body.id;
  }

  /** The hourly check looks at payments that are settled. */
  async function old(id: string): Promise<string> {
    await database.query("UPDATE deposit SET created_at = created_at - interval '10 minutes' WHERE id = $1", [id]);
    return id;
  }

  const reopening = (depositId: string) =>
    ({ kind: 'reopen', depositId, operationId: stack.operation.operation_id }) as const;

  async function breakDeposit(id: string): Promise<void> {
    await temporal.workflow.getHandle(id).terminate('to be broken');
    await temporal.workflow.start(DEPOSIT_WORKFLOW, {
      workflowId: id,
      taskQueue: TASK_QUEUES.payments,
      args: [reopening(id)],
      memo: { broken: true },
    });
  }

  /** How long creations take, one after the other. */
  async function latencies(forMs: number): Promise<number[]> {
    const timesMs: number[] = [];
    for (const endMs = performance.now() + forMs; performance.now() < endMs;) {
      const startedMs = performance.now();
      await created();
      timesMs.push(performance.now() - startedMs);
    }
    return timesMs;
  }

  function percentiles(timesMs: readonly number[]) {
    const sorted = [...timesMs].sort((one, other) => one - other);
    const at = (part: number) => Math.round(sorted[Math.floor(part * (sorted.length - 1))] ?? 0);
    return { n: sorted.length, p50: at(0.5), p90: at(0.9), p95: at(0.95), max: at(1) };
  }

  async function alerts(kind: string, id: string) {
    const { rows } = await database.query<{ detail: string; operation_id: string | null }>(
      'SELECT detail, operation_id FROM alert WHERE kind = $1 AND object_id = $2 AND resolved_at IS NULL',
      [kind, id],
    );
    return rows;
  }

  /** Runs the scheduled check now. */
  async function check(): Promise<OpenCheckResult> {
    const schedule = temporal.schedule.getHandle(OPEN_CHECK_SCHEDULE);
    const countBefore = (await schedule.describe()).info.numActionsTaken;
    await schedule.trigger();
    const taken = await eventually(async () => {
      const { info } = await schedule.describe();
      return info.numActionsTaken > countBefore ? info.recentActions.at(-1) : null;
    }, 'the check starts');
    assert.ok(taken?.action.type === 'startWorkflow');
    return temporal.workflow.getHandle(taken.action.workflow.workflowId).result() as Promise<OpenCheckResult>;
  }
});
