// PostgreSQL, the provider or the workers go away at any step: the payment waits, visibly, and continues by itself.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { ProblemError } from '../../client/index.js';
import { newDeposit, newPlayer, newWithdrawal, once } from '../../lab/harness/payments.js';
import { sendsOf, setProviderOutage } from '../../lab/harness/provider-books.js';
import { type Stack, startStack } from '../../lab/harness/stack.js';
import { eventually } from '../../lab/harness/eventually.js';
import { openAlertsOf } from '../support/open-alerts.js';
import { untilAlert } from './alerts.js';

describe('dependencies are down', () => {
  let stack: Stack;
  before(async function () {
    this.timeout(60_000);
    stack = await startStack();
  });
  // Whatever a test broke is mended before the next.
  afterEach(async () => {
    stack.databaseLink.heal();
    await setProviderOutage(stack.simulatorUrl, 'none').catch(() => stack.simulator.start());
  });
  after(async () => {
    await stack.close();
  });

  it('PostgreSQL is cut while a charge is under way: 503 for requests, and the deposit becomes pending when it is back', async function () {
    this.timeout(120_000);
    const { id } = (await stack.client.createDeposit(newDeposit('66601'), once())).body;
    stack.databaseLink.cut();
    await assert.rejects(
      stack.client.ping(),
      (error: unknown) => error instanceof ProblemError && error.status === 503,
    );
    await waitForPendingActivity(id, 'createCharge');
    stack.databaseLink.heal();
    await stack.receiver.waitFor(id, 'deposit.pending');
    assert.equal((await stack.client.getDeposit(id)).body.status, 'pending');
  });

  it('the provider answers errors: 202, a pending activity with its last failure, then pending', async function () {
    this.timeout(120_000);
    await setProviderOutage(stack.simulatorUrl, 'error');
    const created = await stack.client.createDeposit(newDeposit(), once());
    assert.equal(created.status, 202);
    await waitForPendingActivity(created.body.id, 'createCharge');
    await setProviderOutage(stack.simulatorUrl, 'none');
    await stack.receiver.waitFor(created.body.id, 'deposit.pending');
  });

  it(
    'the provider cannot be reached at the send: nothing is sent, the withdrawal stays approved with an alert, ' +
      'then goes out once',
    async function () {
      this.timeout(150_000);
      const player = newPlayer();
      const funding = await stack.client.createDeposit(newDeposit('100000', player), once());
      await stack.client.sandbox.payDeposit(funding.body.id, once());
      const { id } = (await stack.client.createWithdrawal(newWithdrawal(player), once())).body;
      await stack.simulator.kill();
      await stack.client.sandbox.withdrawal(id, 'approve', once());
      await waitForAlert('PROVIDER_UNREACHABLE', id);
      assert.equal((await stack.client.getWithdrawal(id)).body.status, 'approved');
      await stack.simulator.start();
      await stack.receiver.waitFor(id, 'withdrawal.processing', 90_000);
      assert.equal(await sendsOf(stack.simulatorUrl, id), 1);
      await stack.client.sandbox.withdrawal(id, 'pay', once());
      await stack.receiver.waitFor(id, 'withdrawal.paid');
      assert.deepEqual(await openAlertsOf(stack, id), [], 'the condition has passed');
    },
  );

  it('no worker runs: 503 with Retry-After, and the repeat with the same key finds the one deposit', async function () {
    this.timeout(120_000);
    await stack.worker.kill();
    const key = once();
    const request = newDeposit();
    const impatient = stack.client.createDeposit(request, key).then(
      (answer) => answer.status,
      (error: unknown) => (error instanceof ProblemError ? error.status : 0),
    );
    await sleep(10_000);
    await stack.worker.start();
    await impatient;
    const repeated = await stack.client.createDeposit(request, key);
    assert.ok([201, 202].includes(repeated.status), 'the answer budget of the first run may be over');
    const { data } = (await stack.client.listDeposits({ external_id: request.external_id })).body;
    assert.deepEqual(
      data.map(({ id }) => id),
      [repeated.body.id],
    );
    assert.equal((await stack.gateway('ledger', 'verify'))['ok'], true);
  });

  async function waitForPendingActivity(workflowId: string, type: string): Promise<void> {
    await eventually(
      async () => {
        const { raw } = await stack.temporal.client.workflow.getHandle(workflowId).describe();
        return raw.pendingActivities?.find((activity) => activity.activityType?.name === type)?.lastFailure;
      },
      `${workflowId} shows a pending ${type} with a failure`,
      60_000,
    );
  }

  async function waitForAlert(kind: string, objectId: string): Promise<void> {
    await untilAlert(stack, { kind, objectId });
  }
});
