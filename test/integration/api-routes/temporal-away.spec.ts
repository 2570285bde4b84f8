// Temporal refuses connections: every question that the api asks it ends with its deadline, however long its client
// pauses between tries.
import assert from 'node:assert/strict';
import { type Connection, WithStartWorkflowOperation, WorkflowClient } from '@temporalio/client';
import { ask } from '../../../platform/temporal/calls.js';
import { DATA_CONVERTER, openTemporal } from '../../../platform/temporal/connection.js';
import { DEPOSIT_WORKFLOW, depositCreation, depositQuery } from '../../../contract/temporal/payment.js';
import { findFreePort } from '../../../tools/processes/ports.js';

/** Ends of deadlines all over the client's growing pauses. */
const DEADLINES_MS = [300, 700, 1_200, 1_800, 2_500, 3_300, 4_200, 5_200];
const MOST_LATE_MS = 1_000;

describe('with Temporal refusing connections', () => {
  let connection: Connection;
  let client: WorkflowClient;
  before(async () => {
    connection = openTemporal({ address: `127.0.0.1:${await findFreePort()}` });
    client = new WorkflowClient({ dataConverter: DATA_CONVERTER, connection });
  });
  after(() => connection.close());

  const create = () =>
    client.executeUpdateWithStart(depositCreation, {
      startWorkflowOperation: new WithStartWorkflowOperation(DEPOSIT_WORKFLOW, {
        workflowId: 'dep_0',
        taskQueue: 'payments',
        args: [],
        workflowIdConflictPolicy: 'USE_EXISTING',
      }),
    });
  const calls: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['a creation', create],
    ['a query', () => client.getHandle('dep_0').query(depositQuery)],
  ];
  for (const [what, call] of calls) {
    it(`${what} is unavailable at its deadline`, async () => {
      const lateMs = await Promise.all(
        DEADLINES_MS.map(async (deadlineMs) => {
          const startedAt = performance.now();
          assert.deepEqual(await ask(client, Date.now() + deadlineMs, call), { kind: 'unavailable' });
          return performance.now() - startedAt - deadlineMs;
        }),
      );
      assert.ok(Math.max(...lateMs) < MOST_LATE_MS, lateMs.map(Math.round).join(', '));
    }).timeout(30_000);
  }
});
