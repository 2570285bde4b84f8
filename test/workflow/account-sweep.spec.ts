// The sweep of received PIX as a workflow: page after page, in bounded runs; what is not answered is left to the next
// sweep.
import assert from 'node:assert/strict';
import { ApplicationFailure } from '@temporalio/activity';
import {
  ACCOUNT_SWEEP_WORKFLOW,
  type AccountSweepInput,
  type AccountSweepResult,
} from '../../contract/temporal/scheduled-work.js';
import { TASK_QUEUES } from '../../contract/temporal/workers.js';
import { useGateway } from './harness/gateway.js';
import { newId } from './harness/stage.js';

const THROUGH = '2026-03-05T12:00:00.000Z';

describe('the sweep of received PIX', () => {
  const gateway = useGateway();
  const begun: boolean[] = [];
  beforeEach(() => {
    begun.length = 0;
  });

  /** An account whose list has so many pages. */
  function pages(count: number, failOnce: number | null = null): void {
    let hasFailed = false;
    let read = 0;
    gateway.world.sweeps.sweepPage = async ({ begins }) => {
      begun.push(begins);
      if (read === failOnce && !hasFailed) {
        hasFailed = true;
        throw ApplicationFailure.retryable('no list', 'NO_LIST');
      }
      read += 1;
      const found = { read: 10, missed: 1, unallocated: 0, unreadable: 0 };
      return { kind: 'page', through: read < count ? null : THROUGH, found };
    };
  }
  const start = () =>
    gateway.temporal.client.start<(input: AccountSweepInput) => Promise<AccountSweepResult>>(ACCOUNT_SWEEP_WORKFLOW, {
      workflowId: newId('account-sweep-'),
      taskQueue: TASK_QUEUES.payments,
      args: [{ provider: 'simulator', part: 'payments', resumed: null }],
    });

  it('begins once, reads all pages, and adds up', async () => {
    pages(3, 1);
    const result = await (await start()).result();
    assert.deepEqual(result, { kind: 'swept', through: THROUGH, read: 30, missed: 3, unallocated: 0, unreadable: 0 });
    assert.deepEqual(begun, [true, false, false, false]);
  });

  it('more pages than a run may have continue in another run, which does not start over', async () => {
    pages(60);
    const handle = await start();
    const result = await handle.result();
    assert.ok(result.kind === 'swept' && result.read === 600);
    assert.notEqual((await handle.describe()).runId, handle.firstExecutionRunId);
    assert.deepEqual(begun, [true, ...Array<boolean>(59).fill(false)]);
  });

  it('an account that may not list ends it; one without an answer leaves it to the next', async () => {
    gateway.world.sweeps.sweepPage = async () => ({ kind: 'refused', reason: 'list_http_403' });
    assert.deepEqual(await (await start()).result(), { kind: 'refused', reason: 'list_http_403' });
    gateway.world.sweeps.sweepPage = async () => {
      throw ApplicationFailure.nonRetryable('no list', 'NO_LIST');
    };
    assert.deepEqual(await (await start()).result(), { kind: 'unanswered' });
  });
});
