// A deposit whose workflow code never yields, in each of two workers: the workers live, other deposits go on as fast as
// before, the deposit is alerted with the reason, and the hourly check reopens it from its row; so is one whose history
// matches no more after a reset. One that kills its workers is alerted. An impostor under a deposit's id is ended.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import type { Client } from '@temporalio/client';
import pg from 'pg';
import { DEPOSIT_WORKFLOW } from '../../../contract/temporal/payment.js';
import { OPEN_CHECK_SCHEDULE, type OpenCheckResult } from '../../../contract/temporal/scheduled-work.js';
import { TASK_QUEUES } from '../../../contract/temporal/workers.js';
import { projectRoot } from '../../../platform/config/project-root.js';
import { progressOf } from '../../../platform/temporal/open-runs.js';
import { eventually } from '../../../lab/harness/eventually.js';
import { newDeposit, once } from '../../../lab/harness/payments.js';
import { type Stack, startStack } from '../../../lab/harness/stack.js';
import type { Node } from '../../../lab/harness/node.js';

const BREAK_BUNDLE = pathToFileURL(join(projectRoot(), 'dist', 'test', 'support', 'break-bundle.js')).href;
const MEASURED_MS = 20_000;

describe('a workflow that is broken on purpose', function () {
  this.timeout(300_000);
  let stack: Stack;
  let second: Node;
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
    await breakDeposit(id, 'endless');
    const brokenAtMs = performance.now();
    const during = await latencies(MEASURED_MS);
    console.log(`      ms, before and during: ${JSON.stringify([before, during].map(percentiles))}`);
    assert.ok(percentiles(during).p50 <= 2 * percentiles(before).p50, 'the median');
    assert.ok(percentiles(during).p90 <= 2 * percentiles(before).p90, 'nine of ten');

    const alert = await alerted(id, 60_000 - (performance.now() - brokenAtMs));
    assert.equal(alert.detail, 'the workflow deposit makes no progress: its code does not yield');
    assert.equal(alert.operation_id, stack.operation.operation_id);
    const unlike = await old(await created());
    await reset(unlike);
    const { detail } = await alerted(unlike, 60_000);
    assert.equal(detail, 'the workflow deposit makes no progress: its code does not match its history');

    const isGivenUp = async (one: string) => ((await progressOf(temporal, one))?.failedTasks ?? 0) >= 4;
    await eventually(async () => (await isGivenUp(id)) && (await isGivenUp(unlike)), 'they are given up', 180_000);
    assert.equal((await check()).reopened, 2);
    for (const one of [id, unlike]) {
      assert.equal((await alerts('WORKFLOW_REOPENED', one)).length, 1);
      assert.equal((await alerts('WORKFLOW_FAILING', one)).length, 0, 'resolved');
      await stack.client.sandbox.payDeposit(one, once());
      await stack.receiver.waitFor(one, 'deposit.paid');
    }
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

  it('one that kills its worker at each try is alerted within minutes; its alert ends when it goes on', async () => {
    const waiting = await created();
    const id = await created();
    await breakDeposit(id, 'deadly');
    await eventually(async () => ((await progressOf(temporal, id))?.failedTasks ?? 0) >= 2, 'two tries', 60_000);
    assert.deepEqual([stack.worker.pid, second.pid], [undefined, undefined], 'both workers died');
    assert.equal((await alerts('WORKFLOW_FAILING', id)).length, 0, 'none could say so');
    // As after two minutes.
    await database.query("UPDATE deposit SET updated_at = now() - interval '2 minutes' WHERE id = ANY($1)", [
      [id, waiting],
    ]);
    await nextTurn();
    const restarted = async () => {
      // It may meet the deposit again before it is ready.
      if (stack.worker.pid === undefined) await stack.worker.start().catch(() => undefined);
      return (await alerts('WORKFLOW_FAILING', id))[0];
    };
    const { detail, operation_id: operationId } = await eventually(restarted, 'the alert', 120_000);
    assert.match(detail, /^the workflow of this deposit makes no progress: its task was tried \d+ times/);
    assert.equal(operationId, stack.operation.operation_id);
    assert.equal((await alerts('WORKFLOW_FAILING', waiting)).length, 0, 'it waits');

    await temporal.workflow.getHandle(id).terminate('mended');
    await nextTurn();
    const isResolved = async () => (await restarted()) === undefined;
    await eventually(isResolved, 'resolved', 120_000);
  });

  /** The check of progress is due now. */
  async function nextTurn(): Promise<void> {
    await database.query(
      "UPDATE self_check SET ran_at = ran_at - interval '1 minute' WHERE name = 'workflow_progress'",
    );
  }

  async function alerted(id: string, withinMs: number) {
    const found = async () => (await alerts('WORKFLOW_FAILING', id))[0];
    return eventually(found, 'the alert', withinMs);
  }

  async function created(): Promise<string> {
    return (await stack.client.createDeposit(newDeposit(), once())).body.id;
  }

  /** The hourly check looks at payments that are settled. */
  async function old(id: string): Promise<string> {
    await database.query("UPDATE deposit SET created_at = created_at - interval '10 minutes' WHERE id = $1", [id]);
    return id;
  }

  const reopening = (id: string) => ({ kind: 'reopen', id, operationId: stack.operation.operation_id }) as const;

  async function breakDeposit(id: string, how: 'endless' | 'deadly' | 'changing'): Promise<void> {
    await temporal.workflow.getHandle(id).terminate('to be broken');
    await temporal.workflow.start(DEPOSIT_WORKFLOW, {
      workflowId: id,
      taskQueue: TASK_QUEUES.payments,
      args: [reopening(id)],
      memo: { broken: how },
      // Temporal notices after so long that a worker died with the task.
      workflowTaskTimeout: how === 'deadly' ? '1s' : '10s',
    });
  }

  /** Resets a deposit's workflow to a point behind which its history does not match its code. */
  async function reset(id: string): Promise<void> {
    await breakDeposit(id, 'changing');
    const execution = { workflowId: id };
    const [namespace, requestId] = [temporal.options.namespace, randomUUID()];
    const finished = await eventually(async () => {
      const { events } = await temporal.workflow.getHandle(id).fetchHistory();
      return events?.filter(({ workflowTaskCompletedEventAttributes: completed }) => completed)[1]?.eventId;
    }, 'it is open again');
    await temporal.workflowService.resetWorkflowExecution({
      ...{ namespace, requestId, workflowExecution: execution, reason: 'by hand' },
      workflowTaskFinishEventId: finished,
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
