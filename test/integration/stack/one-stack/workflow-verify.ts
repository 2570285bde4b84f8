// Open payments against open workflows: a workflow that somebody ended and one without a payment are found, and what
// can be is mended. About 20 s.
import assert from 'node:assert/strict';
import type { Client } from '@temporalio/client';
import { refreshAll } from '../../../../staff/acts/open-refresh.js';
import { compareOpen } from '../../../../staff/reads/open-comparison.js';
import { DEPOSIT_WORKFLOW } from '../../../../contract/temporal/payment.js';
import { TASK_QUEUES } from '../../../../contract/temporal/workers.js';
import { newId } from '../../../../domain/identifiers.js';
import { createDatabase, type Database } from '../../../../store/database.js';
import { readOpenObjects } from '../../../../store/payments/open-objects.js';
import { eventually } from '../../../../lab/harness/eventually.js';
import { newDeposit, once } from '../../../../lab/harness/payments.js';
import type { Stack } from '../../../../lab/harness/stack.js';
import type { OpenStack } from './open-stack.js';

export const workflowVerifyTests = (openStack: OpenStack) =>
  describe('gateway workflow verify', function () {
    this.timeout(300_000);
    let stack: Stack;
    let temporal: Client;
    let database: Database;
    let id: string;

    before(async () => {
      stack = await openStack();
      temporal = stack.temporal.client;
      database = createDatabase({
        url: stack.databaseUrl,
        poolSize: 2,
        connectTimeoutMs: 10_000,
        statementTimeoutMs: 10_000,
      });
      id = (await stack.client.createDeposit(newDeposit(), once())).body.id;
    });
    after(async () => {
      await database?.$disconnect();
      await stack?.close();
    });

    it('a pending deposit has its workflow → ok', async () => {
      assert.deepEqual(await stack.gateway('workflow', 'verify'), {
        ok: true,
        open_objects: 1,
        open_workflows: 1,
        problems: [],
        refreshed: null,
        unanswered: [],
      });
    });

    it('its workflow was terminated → workflow_missing, exit code 1; --refresh reopens it, and it is paid', async () => {
      await temporal.workflow.getHandle(id).terminate('by hand');
      await eventually(async () => (await compareOpen(database, temporal)).workflows === 0, 'the index knows', 30_000);
      const found = await stack
        .gateway('workflow', 'verify')
        .catch((error: { stdout: string }) => JSON.parse(error.stdout) as unknown);
      assert.deepEqual((found as { problems: unknown }).problems, [
        { problem: 'workflow_missing', kind: 'deposit', id, status: 'pending' },
      ]);
      const refreshed = await stack
        .gateway('workflow', 'verify', '--refresh')
        .catch((error: { stdout: string }) => JSON.parse(error.stdout) as { refreshed: number });
      assert.equal(refreshed['refreshed'], 1);
      const [act] = ((await stack.gateway('audit', 'list', '--limit', '1')) as { entries: object[] }).entries;
      assert.deepEqual(
        [(act as { action: string }).action, (act as { detail: object }).detail],
        ['workflow.refresh', { means: 'claim', objects: 1 }],
      );
      assert.equal((await stack.gateway('workflow', 'verify'))['ok'], true);
      await stack.client.sandbox.payDeposit(id, once());
      await stack.receiver.waitFor(id, 'deposit.paid');
    });

    it('an impostor under its id → workflow_impostor; --refresh has the hourly check end it, and it is reopened', async () => {
      const { id } = (await stack.client.createDeposit(newDeposit(), once())).body;
      await database.$transaction([
        database.$executeRaw`SET LOCAL session_replication_role = replica`,
        database.$executeRaw`UPDATE deposit SET created_at = created_at - interval '10 minutes' WHERE id = ${id}`,
      ]);
      await temporal.workflow.getHandle(id).terminate('by an attacker');
      const input = { kind: 'reopen', id, operationId: stack.operation.operation_id };
      await temporal.workflow.start(DEPOSIT_WORKFLOW, { workflowId: id, taskQueue: 'attacker', args: [input] });
      const found = (await stack
        .gateway('workflow', 'verify', '--refresh')
        .catch((error: { stdout: string }) => JSON.parse(error.stdout))) as Record<string, unknown>;
      assert.deepEqual(
        [found['problems'], found['check'], found['refreshed'], found['unanswered']],
        [
          [{ problem: 'workflow_impostor', kind: 'deposit', id, status: 'pending' }],
          { compared: 1, reopened: 1, failed: 0 },
          1,
          [],
        ],
      );
      const { taskQueue, status } = await temporal.workflow.getHandle(id).describe();
      assert.deepEqual([taskQueue, status.name], [TASK_QUEUES.payments, 'RUNNING']);
      assert.equal(await database.alert.count({ where: { kind: 'WORKFLOW_IMPOSTOR', objectId: id } }), 1);
      assert.equal((await stack.gateway('workflow', 'verify'))['ok'], true);
      await stack.client.cancelDeposit(id, once());
      await eventually(async () => (await compareOpen(database, temporal)).workflows === 0, 'the index knows', 30_000);
    });

    it('one payment that Temporal refuses, and one whose call fails, do not stop the others', async () => {
      const ids = await Promise.all(
        Array.from({ length: 3 }, async () => (await stack.client.createDeposit(newDeposit(), once())).body.id),
      );
      const [limited, faulty, sound] = ids as [string, string, string];
      const errors: Readonly<Record<string, Error>> = {
        [limited]: Object.assign(new Error('refused'), { code: 9, details: '', metadata: { get: () => [] } }),
        [faulty]: new Error('a bug'),
      };
      const workflow = new Proxy(temporal.workflow, {
        get: (client, name) => {
          if (name !== 'executeUpdateWithStart') return Reflect.get(client, name).bind?.(client);
          return (...call: Parameters<typeof client.executeUpdateWithStart>) => {
            const { workflowId } = call[1].startWorkflowOperation.options;
            const error = errors[workflowId];
            return error === undefined ? client.executeUpdateWithStart(...call) : Promise.reject(error);
          };
        },
      });
      const objects = (await readOpenObjects(database)).filter((object) => ids.includes(object.id));
      const { refreshed, unanswered } = await refreshAll(
        database,
        { workflow } as unknown as Client,
        objects,
        () => undefined,
      );
      assert.deepEqual([refreshed, [...unanswered].sort()], [1, [limited, faulty].sort()]);
      for (const id of [limited, faulty, sound]) await stack.client.cancelDeposit(id, once());
      const closed = async () => (await compareOpen(database, temporal)).workflows === 0;
      await eventually(closed, 'the index knows', 30_000);
    });

    it('a workflow of a deposit that PostgreSQL does not know → object_missing, but not in its first minute', async () => {
      const stray = newId('deposit');
      const handle = await temporal.workflow.start(DEPOSIT_WORKFLOW, { workflowId: stray, taskQueue: 'nobody' });
      await eventually(async () => (await compareOpen(database, temporal)).workflows === 1, 'the index knows', 30_000);
      assert.deepEqual((await compareOpen(database, temporal)).problems, []);
      assert.deepEqual((await compareOpen(database, temporal, () => Date.now() + 61_000)).problems, [
        { problem: 'object_missing', kind: 'deposit', id: stray, status: null },
      ]);
      await handle.terminate('done');
    });
  });
