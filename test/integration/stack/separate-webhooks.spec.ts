// Webhooks served by processes of their own, as in docker-compose.yml: what the others store waits in the outbox until
// one of them takes it, and a payment costs no more history events than where one process does both.
import assert from 'node:assert/strict';
import type { Client } from '@temporalio/client';
import pg from 'pg';
import { request } from 'undici';
import { ALL_PROVIDER_QUEUES, TASK_QUEUES } from '../../../contract/temporal/workers.js';
import { eventually } from '../../../lab/harness/eventually.js';
import { newDeposit, newPlayer, newWithdrawal, once } from '../../../lab/harness/payments.js';
import { type Stack, startStack } from '../../../lab/harness/stack.js';

/** What is promised of every deployment. */
const MOST_EVENTS = { deposit: 24, withdrawal: 38 };

describe('webhooks in processes of their own', function () {
  this.timeout(120_000);
  let stack: Stack;
  let temporal: Client;
  let database: pg.Client;

  before(async () => {
    const queues = [TASK_QUEUES.payments, TASK_QUEUES.rules, ...ALL_PROVIDER_QUEUES];
    stack = await startStack({ variables: { WORKER_TASK_QUEUES: queues.join() } });
    temporal = stack.temporal.client;
    database = new pg.Client({ connectionString: stack.databaseUrl });
    await database.connect();
  });
  after(async () => {
    await database?.end();
    await stack?.close();
  });

  async function created(amount: string, player = newPlayer()): Promise<string> {
    return (await stack.client.createDeposit(newDeposit(amount, player), once())).body.id;
  }
  const waiting = async () => Number((await database.query('SELECT count(*) FROM event_outbox')).rows[0]?.count);
  const historyOf = async (id: string) => (await temporal.workflow.getHandle(id).fetchHistory()).events?.length ?? 0;
  const ended = (id: string) =>
    eventually(
      async () => (await temporal.workflow.getHandle(id).describe()).status.name === 'COMPLETED',
      `${id} has ended`,
    );

  it('without one, events wait in the outbox, and show how long', async () => {
    const id = await created('5000');
    await stack.client.sandbox.payDeposit(id, once());
    // The deposit ends all the same: no payment's workflow waits for its deliveries.
    await ended(id);
    assert.equal(await waiting(), 2);
    assert.deepEqual(stack.receiver.events, []);
    const gauge = await eventually(async () => {
      const metrics = await (await request(`${stack.workerHealthUrl}/metrics`)).body.text();
      return Number(/^gateway_webhook_outbox_oldest_seconds (\S+)$/m.exec(metrics)?.[1] ?? 0);
    }, 'the gauge is read again');
    assert.ok(gauge > 0 && gauge < 60, `${gauge} s`);
  });

  it('one that starts delivers what waited, once', async () => {
    await stack.addWorker([TASK_QUEUES.webhooks]);
    await eventually(() => stack.receiver.events.length === 2, 'both events arrive');
    assert.deepEqual(stack.receiver.events.map(({ type }) => type).sort(), ['deposit.paid', 'deposit.pending']);
    // A row goes once its delivery was accepted: a moment after the receiver has it.
    await eventually(async () => (await waiting()) === 0, 'nothing waits any more');
  });

  it('a payment costs the history events that are promised, deliveries included', async () => {
    const player = newPlayer();
    const deposit = await created('100000', player);
    await stack.client.sandbox.payDeposit(deposit, once());
    await stack.receiver.waitFor(deposit, 'deposit.paid');
    await ended(deposit);
    const withdrawal = (await stack.client.createWithdrawal(newWithdrawal(player), once())).body.id;
    await stack.client.sandbox.withdrawal(withdrawal, 'approve', once());
    await stack.receiver.waitFor(withdrawal, 'withdrawal.processing');
    await stack.client.sandbox.withdrawal(withdrawal, 'pay', once());
    await stack.receiver.waitFor(withdrawal, 'withdrawal.paid');
    await ended(withdrawal);
    const events = { deposit: await historyOf(deposit), withdrawal: await historyOf(withdrawal) };
    console.log(`      ${events.deposit} and ${events.withdrawal} history events`);
    assert.ok(events.deposit <= MOST_EVENTS.deposit && events.withdrawal <= MOST_EVENTS.withdrawal);
  });

  it('events of two such processes arrive once each', async () => {
    await stack.addWorker([TASK_QUEUES.webhooks]);
    const ids = await Promise.all(Array.from({ length: 10 }, () => created('5000')));
    for (const id of ids) await stack.receiver.waitFor(id, 'deposit.pending');
    const arrived = stack.receiver.events.filter(({ type }) => type === 'deposit.pending').map(({ id }) => id);
    assert.equal(new Set(arrived).size, arrived.length);
  });
});
