// A provider that hangs, with all its slots taken: people's acts are stored, and another provider's payments continue.
import assert from 'node:assert/strict';
import { request } from 'undici';
import { createGatewayClient, type GatewayClient } from '../../../client/index.js';
import { PROVIDER_QUEUES } from '../../../contract/temporal/workers.js';
import { eventually } from '../../../lab/harness/eventually.js';
import { newDeposit, newPlayer, newWithdrawal, once } from '../../../lab/harness/payments.js';
import type { ProvisionedOperation } from '../../../lab/harness/gateway.js';
import { type Stack, startStack } from '../../../lab/harness/stack.js';

const PROVIDER_SLOTS = 4;
const STEP_SLOTS = 32;
/** More than a worker's slots of any kind, and the few calls that are tried while the caller waits. */
const HANGING = STEP_SLOTS + 16;
/** An act needs some hundred milliseconds; a provider's call hangs for 8 s. */
const SOON_MS = 4_000;
/** The `gateway` command starts first. */
const SOON_BY_COMMAND_MS = 12_000;

/** With what provider A asks for. */
const player = () => ({ ...newPlayer(), name: 'Ana Lima', email: 'ana@gateway.test' });

describe('a provider that hangs', function () {
  this.timeout(120_000);
  let stack: Stack;
  /** An operation of provider A, in addition to the stack's own at the simulator. */
  let other: GatewayClient;
  before(async () => {
    stack = await startStack({
      variables: {
        WORKER_STEP_SLOTS: String(STEP_SLOTS),
        WORKER_PROVIDER_SLOTS: String(PROVIDER_SLOTS),
      },
    });
    const { key_id: keyId, secret } = (await stack.gateway(
      ...['operation', 'create', '--name', 'other', '--environment', 'sandbox', '--provider', 'a'],
      ...['--webhook-url', stack.receiver.url],
    )) as unknown as ProvisionedOperation;
    other = createGatewayClient({ baseUrl: stack.baseUrl, keyId, secret });
  });
  after(async () => {
    await outage('none');
    await stack.close();
  });

  it("keeps no act of its own payments waiting, nor another provider's payments", async () => {
    const [own, others] = await Promise.all([waiting(stack.client), waiting(other)]);
    await outage('hang');
    const hanging = Array.from({ length: HANGING }, () =>
      stack.client.createDeposit(newDeposit('5000', player()), once()),
    );
    // The last calls are tried by their queue: it has more tasks than slots.
    await eventually(async () => (await backlog()) >= PROVIDER_SLOTS, 'more calls than slots', 30_000);

    for (const [name, client, payments] of [
      ['the same provider', stack.client, own],
      ['another provider', other, others],
    ] as const) {
      const cancelled = await soon(`a cancel (${name})`, client.cancelDeposit(payments.deposit, once()));
      assert.equal(cancelled.body.status, 'cancelled');
      await soon(`a review (${name})`, refused(payments.withdrawal), SOON_BY_COMMAND_MS);
      assert.equal((await client.getWithdrawal(payments.withdrawal)).body.status, 'rejected');
    }
    const created = await soon(
      'a deposit (another provider)',
      other.createDeposit(newDeposit('5000', player()), once()),
    );
    assert.deepEqual([created.status, created.body.status], [201, 'pending']);
    assert.ok((await backlog()) >= PROVIDER_SLOTS, 'the provider still hangs, with its slots taken');
    for (const { body, status } of await Promise.all(hanging))
      assert.deepEqual([status, body.status], [202, 'created'], 'the provider did not answer');
  });

  /** A deposit that waits for its payment, and a withdrawal that waits for people. */
  async function waiting(client: GatewayClient): Promise<{ readonly deposit: string; readonly withdrawal: string }> {
    const depositor = player();
    const [deposit, funds] = await Promise.all([
      client.createDeposit(newDeposit('5000', player()), once()),
      client.createDeposit(newDeposit('100000', depositor), once()),
    ]);
    await stack.receiver.waitFor(funds.body.id, 'deposit.pending');
    await client.sandbox.payDeposit(funds.body.id, once());
    await stack.receiver.waitFor(funds.body.id, 'deposit.paid');
    const { body } = await client.createWithdrawal(newWithdrawal(depositor), once());
    assert.equal(body.status, 'under_review');
    return { deposit: deposit.body.id, withdrawal: body.id };
  }

  async function refused(id: string): Promise<void> {
    await stack.gateway('review', 'refuse', id, '--as', 'ana', '--reason', 'not this one');
  }

  async function soon<Answer>(what: string, answer: Promise<Answer>, limitMs = SOON_MS): Promise<Answer> {
    const startedAt = Date.now();
    const value = await answer;
    assert.ok(Date.now() - startedAt < limitMs, `${what} took ${Date.now() - startedAt} ms`);
    return value;
  }

  async function outage(mode: 'none' | 'hang'): Promise<void> {
    const { statusCode, body } = await request(`${stack.simulatorUrl}/control/simulator/outage`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ mode }),
    });
    await body.dump();
    assert.equal(statusCode, 200);
  }

  /** Calls that wait for a slot. */
  async function backlog(): Promise<number> {
    const { stats } = await stack.temporal.client.workflowService.describeTaskQueue({
      namespace: stack.temporal.namespace,
      taskQueue: { name: PROVIDER_QUEUES.simulator },
      taskQueueType: 2,
      reportStats: true,
    });
    return Number(stats?.approximateBacklogCount ?? 0);
  }
});
