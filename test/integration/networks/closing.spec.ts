// A process that serves requests ends while Temporal is away: the calls under way are not repeated, and nothing that
// the client does later ends the process with a stack trace.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Connection, WithStartWorkflowOperation, WorkflowClient } from '@temporalio/client';
import { DEPOSIT_WORKFLOW, depositCreation } from '../../../contract/temporal/payment.js';
import { ask } from '../../../platform/temporal/calls.js';
import { DATA_CONVERTER, openTemporal } from '../../../platform/temporal/connection.js';
import { findFreePort } from '../../../tools/processes/ports.js';
import { ProcessRegistry } from '../../../tools/processes/registry.js';
import { prepareTemporal, type TemporalServer } from '../../../tools/servers/temporal.js';

const DEADLINE_MS = 9_000;
const CLOSES_WITHIN_MS = 4_000;
/** Longer than the longest pause of the client: a timer that it left fires in the test that left it. */
const PAUSES_END_MS = 1_500;

describe('a connection that closes while Temporal is away', function () {
  this.timeout(60_000);
  let folder: string;
  let registry: ProcessRegistry;
  let server: TemporalServer;
  let connection: Connection;
  let client: WorkflowClient;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gateway-closing-'));
    registry = new ProcessRegistry(join(folder, 'processes.json'));
    const place = { port: await findFreePort(), uiPort: undefined, databaseFile: undefined };
    server = await prepareTemporal(
      { environment: process.env, ...place, logFile: join(folder, 'temporal.log') },
      registry,
    );
    await server.service.start();
    connection = openTemporal({ address: server.address });
    client = new WorkflowClient({ dataConverter: DATA_CONVERTER, connection });
  });
  afterEach(async () => {
    await server.service.stop();
    registry.close();
    rmSync(folder, { recursive: true });
  });

  /** Nobody answers it: there is no worker. */
  const create = (workflowId: string) =>
    ask(client, Date.now() + DEADLINE_MS, () =>
      client.executeUpdateWithStart(depositCreation, {
        startWorkflowOperation: new WithStartWorkflowOperation(DEPOSIT_WORKFLOW, {
          workflowId,
          taskQueue: 'payments',
          args: [],
          workflowIdConflictPolicy: 'USE_EXISTING',
        }),
      }),
    );
  async function closed(): Promise<number> {
    const startedAt = performance.now();
    await connection.close();
    return performance.now() - startedAt;
  }

  it('calls that wait for their next try end as unavailable, and the process continues', async () => {
    const underWay = Array.from({ length: 20 }, (_, index) => create(`dep_${index}`));
    await sleep(500);
    await server.service.kill();
    // Each call is now in its own pause before it is made again.
    await sleep(1_000);
    const tookMs = await closed();
    assert.ok(tookMs < CLOSES_WITHIN_MS, `${Math.round(tookMs)} ms`);
    for (const reply of await Promise.all(underWay)) assert.deepEqual(reply, { kind: 'unavailable' });
    await sleep(PAUSES_END_MS);
  });

  it('without a call under way it closes at once', async () => {
    await client
      .getHandle('dep_nobody')
      .describe()
      .catch(() => undefined);
    assert.ok((await closed()) < 200);
  });
});
