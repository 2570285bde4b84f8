// The rules engine is down or slow: withdrawals go to people with the right code, deposits are
// answered 503 and their repeat finds one deposit, payments are held; nothing is sent, and everything continues once
// the engine is back.
import assert from 'node:assert/strict';
import { Context } from '@temporalio/activity';
import { NativeConnection, Worker } from '@temporalio/worker';
import type { GatewayActivities } from '../../activities/index.js';
import { createGatewayClient, ProblemError } from '../../client/index.js';
import { ALL_PROVIDER_QUEUES, TASK_QUEUES } from '../../contract/temporal/workers.js';
import type { Node } from '../../lab/harness/node.js';
import { newDeposit, newPlayer, newWithdrawal, once, type TestPlayer } from '../../lab/harness/payments.js';
import { sendsOf } from '../../lab/harness/provider-books.js';
import { type Stack, startStack } from '../../lab/harness/stack.js';
import { DATA_CONVERTER } from '../../platform/temporal/connection.js';
import { installQuietRuntime } from '../support/temporal.js';
import { untilAlert } from './alerts.js';

/** Steps that never end. */
const never = async () => Context.current().sleep(120_000) as Promise<never>;
const SLOW: GatewayActivities['rules'] = {
  openDeposit: never,
  lookUpChargeBriefly: never,
  openWithdrawal: never,
  decideRequested: never,
  judgeReviewed: never,
  clearDispatch: never,
};

describe('the rules engine', () => {
  let stack: Stack;
  let engine: Node;
  let connection: NativeConnection;
  /** Ends the worker that a test has put in the engine's place. */
  let standIn: (() => Promise<void>) | null = null;
  before(async function () {
    this.timeout(90_000);
    installQuietRuntime();
    // The process of the payments does not serve the rules, so that stopping `engine` takes them away.
    stack = await startStack({
      variables: {
        WORKER_TASK_QUEUES: [TASK_QUEUES.payments, TASK_QUEUES.webhooks, ...ALL_PROVIDER_QUEUES].join(),
      },
    });
    engine = await stack.addWorker([TASK_QUEUES.rules]);
    connection = await NativeConnection.connect({ address: stack.temporal.address });
  });
  after(async () => {
    await standIn?.();
    await stack.close();
    await connection.close();
  });

  /** A worker of the test's own on the engine's queue. Answers how to end it. */
  async function serve(activities: object): Promise<() => Promise<void>> {
    const options = {
      connection,
      namespace: stack.temporal.namespace,
      taskQueue: TASK_QUEUES.rules,
      shutdownGraceTime: '1ms',
      shutdownForceTime: '5s',
    };
    const worker = await Worker.create({ ...options, dataConverter: DATA_CONVERTER, activities });
    const running = worker.run();
    standIn = async () => {
      standIn = null;
      worker.shutdown();
      await running;
    };
    return standIn;
  }

  for (const [what, replace] of [
    ['down', async () => async () => undefined],
    ['slow', () => serve(SLOW)],
  ] as const) {
    it(`is ${what}: a withdrawal waits for people, a deposit is answered 503, a payment is held`, async function () {
      this.timeout(180_000);
      const player = await fundedPlayer();
      const unpaid = await pendingDeposit('7000', player);
      await engine.stop();
      const mend = await replace();

      const key = once();
      const request = newDeposit('3000', player);
      const [refusal, created] = await Promise.all([
        impatient()
          .createDeposit(request, key)
          .then(
            () => null,
            (error: unknown) => error,
          ),
        stack.client.createWithdrawal(newWithdrawal(player), once()),
        stack.client.sandbox.payDeposit(unpaid.id, once()),
      ]);
      assert.ok(
        refusal instanceof ProblemError && refusal.status === 503 && refusal.code === 'service_unavailable',
        String(refusal),
      );
      assert.ok(Number.isInteger(refusal.retryAfterSeconds), 'it says when to come again');
      assert.equal((await stack.client.rules()).status, 200, 'the stored rules need no engine');
      assert.equal((await stack.client.playerLimits(player.external_ref, 'BRL')).status, 200, 'nor do the limits');
      assert.equal(created.status, 201);
      assert.deepEqual([created.body.status, created.body.decision.reasons], ['under_review', ['RULES_UNAVAILABLE']]);
      await stack.receiver.waitFor(unpaid.id, 'deposit.under_review');
      assert.deepEqual((await stack.client.getDeposit(unpaid.id)).body.review_reasons, ['RULES_UNAVAILABLE']);

      await mend();
      await engine.start();
      const repeated = await stack.client.createDeposit(request, key);
      assert.ok([201, 202].includes(repeated.status), String(repeated.status));
      assert.equal(repeated.replayed, false, 'the key was released');
      const { data } = (await stack.client.listDeposits({ external_id: request.external_id })).body;
      assert.deepEqual(
        data.map(({ id }) => id),
        [repeated.body.id],
      );
      await stack.gateway('review', 'approve', created.body.id, '--as', 'ana', '--reason', 'looked at by hand');
      await stack.receiver.waitFor(created.body.id, 'withdrawal.processing');
      assert.equal(await sendsOf(stack.simulatorUrl, created.body.id), 1);
      assert.equal((await stack.gateway('ledger', 'verify'))['ok'], true);
    });
  }

  it(
    'is down when an approved withdrawal is to be sent: nothing leaves, staff are alerted, and it goes out once the ' +
      'engine is back',
    async function () {
      this.timeout(180_000);
      const player = await fundedPlayer();
      const { id } = (await stack.client.createWithdrawal(newWithdrawal(player), once())).body;
      await engine.stop();
      await stack.gateway('review', 'approve', id, '--as', 'ana', '--reason', 'fine');
      await waitForAlert(id, true);
      assert.equal((await stack.client.getWithdrawal(id)).body.status, 'approved');
      assert.equal(await sendsOf(stack.simulatorUrl, id), 0);
      await engine.start();
      await stack.receiver.waitFor(id, 'withdrawal.processing', 90_000);
      assert.equal(await sendsOf(stack.simulatorUrl, id), 1);
      await waitForAlert(id, false);
    },
  );

  /** A client that does not repeat what is answered 503. */
  const impatient = () =>
    createGatewayClient({
      baseUrl: stack.baseUrl,
      keyId: stack.operation.key_id,
      secret: stack.operation.secret,
      maxAttempts: 1,
    });

  async function fundedPlayer(): Promise<TestPlayer> {
    const player = newPlayer();
    const { id } = await pendingDeposit('100000', player);
    await stack.client.sandbox.payDeposit(id, once());
    await stack.receiver.waitFor(id, 'deposit.paid');
    return player;
  }

  /** A busy machine answers 202 first. */
  async function pendingDeposit(amount: string, player: TestPlayer): Promise<{ readonly id: string }> {
    const { body } = await stack.client.createDeposit(newDeposit(amount, player), once());
    await stack.receiver.waitFor(body.id, 'deposit.pending');
    return body;
  }

  async function waitForAlert(objectId: string, isOpen: boolean): Promise<void> {
    await untilAlert(stack, { kind: 'DISPATCH_CHECK_UNAVAILABLE', objectId, isOpen });
  }
});
