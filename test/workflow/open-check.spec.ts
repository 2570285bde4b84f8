// The gateway's checks of itself, as workflows: every operation is checked, in bounded runs, and one check that fails
// stops no other.
import assert from 'node:assert/strict';
import {
  OPEN_CHECK_START,
  OPEN_CHECK_WORKFLOW,
  type OpenCheckInput,
  type OpenCheckResult,
  VERIFICATION_START,
  VERIFICATION_WORKFLOW,
  type VerificationInput,
  type VerificationResult,
} from '../../contract/temporal/scheduled-work.js';
import { TASK_QUEUES } from '../../contract/temporal/workers.js';
import { useGateway } from './harness/gateway.js';
import { newId } from './harness/stage.js';

describe('the checks of the gateway itself', () => {
  const gateway = useGateway();
  const checks = () => gateway.world.operations.checks;
  const operations = (count: number) =>
    Array.from({ length: count }, (_, index) => `op_${String(index).padStart(4, '0')}`);

  async function check(): Promise<{ readonly result: OpenCheckResult; readonly runs: Set<string> }> {
    const handle = await gateway.temporal.client.start<(input: OpenCheckInput) => Promise<OpenCheckResult>>(
      OPEN_CHECK_WORKFLOW,
      { workflowId: newId('open-check-'), taskQueue: TASK_QUEUES.payments, args: [OPEN_CHECK_START] },
    );
    const result = await handle.result();
    return { result, runs: new Set([handle.firstExecutionRunId, (await handle.describe()).runId]) };
  }

  const verify = () =>
    gateway.temporal.client.execute<(input: VerificationInput) => Promise<VerificationResult>>(VERIFICATION_WORKFLOW, {
      workflowId: newId('verification-'),
      taskQueue: TASK_QUEUES.payments,
      args: [VERIFICATION_START],
    });

  beforeEach(() => {
    checks().orphans.clear();
    checks().ledgerProblems.clear();
    checks().finished.length = 0;
    checks().ledgersNoted.length = 0;
    checks().broken.clear();
    checks().operationsPerPage = 20;
  });

  it('open objects: every operation is compared once, and the outcome is noted once', async () => {
    for (const [index, id] of operations(50).entries()) checks().orphans.set(id, index % 10 === 0 ? 2 : 0);
    const { result } = await check();
    assert.deepEqual(result, { compared: 50, reopened: 10, failed: 0 });
    assert.equal(checks().finished.length, 1);
  });

  it('open objects: more pages than a run may have continue in another run, and add up', async () => {
    checks().operationsPerPage = 1;
    for (const id of operations(130)) checks().orphans.set(id, 1);
    const { result, runs } = await check();
    assert.deepEqual(result, { compared: 130, reopened: 130, failed: 0 });
    assert.equal(runs.size, 2);
    assert.equal(checks().finished.length, 1);
  });

  it('verification: the problems of all ledgers add up over several runs', async () => {
    for (const [index, id] of operations(230).entries())
      checks().ledgerProblems.set(id, index === 3 || index === 229 ? 2 : 0);
    assert.deepEqual(await verify(), { ledger: 4, audit: 0, decisions: 0, signatures: 0 });
    assert.deepEqual(checks().ledgersNoted, [4]);
  });

  it('verification: a ledger that cannot be read is not noted, and stops neither the audit chain nor the decisions', async () => {
    for (const id of operations(3)) checks().ledgerProblems.set(id, 0);
    checks().broken.add('ledger');
    assert.deepEqual(await verify(), { ledger: null, audit: 0, decisions: 0, signatures: 0 });
    assert.deepEqual(checks().ledgersNoted, []);
    checks().broken.clear();
    checks().broken.add('audit');
    assert.deepEqual(await verify(), { ledger: 0, audit: null, decisions: 0, signatures: 0 });
  });
});
