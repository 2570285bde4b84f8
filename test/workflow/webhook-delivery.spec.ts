// Webhooks: the first attempt concurrently with the payment, the retries in their own workflow, over two days.
import assert from 'node:assert/strict';
import { WorkflowNotFoundError } from '@temporalio/client';
import { SEARCH_ATTRIBUTES } from '../../contract/temporal/search-attributes.js';
import { TASK_QUEUES } from '../../contract/temporal/task-queues.js';
import {
  DELIVERY_PAUSES_SECONDS,
  redeliver,
  WEBHOOK_DELIVERY_WORKFLOW,
  type WebhookDeliveryInput,
} from '../../contract/temporal/webhook-delivery.js';
import type { DepositCase } from './harness/deposit-case.js';
import { eventually } from '../../tools/harness/eventually.js';
import { useGateway } from './harness/gateway.js';
import type { ReceiverAnswer } from '../support/fakes/receiver.js';

const TWO_DAYS_SECONDS = 2 * 86_400;

describe('webhook delivery', () => {
  const gateway = useGateway();

  /**
   * A deposit whose last event, `deposit.under_review`, meets these answers. It stays open: when a delivery ends whose
   * payment has ended before, this server's clock stays locked.
   */
  async function reviewedDeposit(...answers: ReceiverAnswer[]): Promise<DepositCase> {
    const deposit = await gateway.pendingDeposit();
    await eventually(() => deposit.inbox.attempts.length === 1, 'deposit.pending was delivered');
    deposit.inbox.attempts.splice(0);
    deposit.inbox.answers.push(...answers);
    await deposit.pay({ payerMatch: 'unknown' });
    await eventually(() => deposit.inbox.attempts.length > 0, 'the first attempt');
    return deposit;
  }

  /** A deposit that has ended at once, with one event. */
  async function failedDeposit(...answers: ReceiverAnswer[]): Promise<DepositCase> {
    const deposit = gateway.newDeposit();
    deposit.inbox.answers.push(...answers);
    deposit.charge.creationAnswers.push({ kind: 'refused', failureCode: 'psp_rejected' });
    await deposit.create();
    await eventually(async () => (await stateOf(deposit.id)) === 'COMPLETED', 'the deposit ended');
    return deposit;
  }

  function eventOf(deposit: DepositCase): string {
    const event = deposit.database.events.findLast(({ objectId }) => objectId === deposit.id);
    assert.ok(event);
    return event.id;
  }

  const handleOf = (deposit: DepositCase) => gateway.temporal.client.getHandle(eventOf(deposit));
  const alertsOf = (deposit: DepositCase) =>
    gateway.world.receiver.alertCalls.filter(({ eventId }) => eventId === eventOf(deposit)).map(({ kind }) => kind);

  async function stateOf(workflowId: string): Promise<string> {
    try {
      return (await gateway.temporal.client.getHandle(workflowId).describe()).status.name;
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return 'none';
      throw error;
    }
  }

  it('delivered at the first attempt: by no workflow', async () => {
    const deposit = await failedDeposit();
    assert.deepEqual(
      deposit.inbox.attempts.map(({ workflowId, type, attempt }) => [workflowId, type, attempt]),
      [[null, 'deposit.failed', 1]],
    );
    assert.equal(await stateOf(eventOf(deposit)), 'none');
  });

  it('failing → exhausted: ten attempts at the fixed pauses over two days, then an alert', async () => {
    const deposit = await reviewedDeposit(...Array.from({ length: 20 }, () => 500));
    await gateway.sleep(TWO_DAYS_SECONDS);
    const { attempts } = deposit.inbox;
    assert.deepEqual(
      attempts.map(({ attempt }) => attempt),
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    );
    assert.deepEqual(
      attempts.map(({ nextPauseSeconds }) => nextPauseSeconds),
      [...DELIVERY_PAUSES_SECONDS, null],
    );
    const pauses = attempts.slice(1).map(({ atMs }, index) => Math.floor((atMs - (attempts[index]?.atMs ?? 0)) / 1000));
    assert.deepEqual(pauses, [10, 60, 300, 900, 3_600, 10_800, 21_600, 43_200, 86_400]);
    await eventually(() => alertsOf(deposit).length > 0, 'the alert');
    assert.deepEqual(alertsOf(deposit), ['WEBHOOK_EXHAUSTED']);
    assert.equal(await handleOf(deposit).result(), 'failed');
  });

  it('failing → delivered: the operator is back at the fourth attempt', async () => {
    const deposit = await reviewedDeposit(500, 'no_connection', 302);
    await gateway.sleep(TWO_DAYS_SECONDS);
    assert.equal(await handleOf(deposit).result(), 'delivered');
    assert.equal(deposit.inbox.attempts.length, 4);
    assert.deepEqual(alertsOf(deposit), []);
  });

  it('handed over before its first attempt → the workflow makes that, too', async () => {
    const deposit = await reviewedDeposit(200, 500);
    const [eventId, { operationId }] = [eventOf(deposit), deposit.order];
    await gateway.world.startDelivery({ eventId, operationId, attemptsMade: 0 });
    await gateway.sleep(12);
    assert.equal(await handleOf(deposit).result(), 'delivered');
    assert.deepEqual(
      deposit.inbox.attempts.map(({ workflowId, attempt }) => [workflowId, attempt]),
      [
        [null, 1],
        [eventId, 1],
        [eventId, 2],
      ],
    );
  });

  it('no target: nothing is sent and nothing is tried again', async () => {
    const deposit = await failedDeposit('no_target');
    assert.equal(await stateOf(eventOf(deposit)), 'none');
  });

  it('401: no more than the normal schedule', async () => {
    const deposit = await reviewedDeposit(401, 401, 401, 401);
    await gateway.sleep(10 + 60 + 300 + 900 + 5);
    assert.equal(await handleOf(deposit).result(), 'delivered');
    assert.deepEqual(
      deposit.inbox.attempts.map(({ attempt }) => attempt),
      [1, 2, 3, 4, 5],
    );
  });

  it('redeliver: sends at once, whatever the schedule says', async () => {
    const deposit = await reviewedDeposit(500, 500, 500);
    await gateway.sleep(80);
    assert.equal(deposit.inbox.attempts.length, 3);
    const { typedSearchAttributes } = await handleOf(deposit).describe();
    assert.deepEqual(
      [
        typedSearchAttributes.get(SEARCH_ATTRIBUTES.OperationId),
        typedSearchAttributes.get(SEARCH_ATTRIBUTES.WaitingFor),
      ],
      [deposit.order.operationId, 'webhook_delivery'],
    );
    await handleOf(deposit).signal(redeliver);
    assert.equal(await handleOf(deposit).result(), 'delivered');
    assert.equal(deposit.inbox.attempts.length, 4);
  });

  it('redeliver: attempts that somebody asks for use none of the schedule up', async () => {
    const deposit = await reviewedDeposit(...Array.from({ length: 4 + 3 }, () => 500));
    for (const extra of [2, 3, 4]) {
      await eventually(async () => (await stateOf(eventOf(deposit))) === 'RUNNING', 'the delivery workflow');
      await handleOf(deposit).signal(redeliver);
      await eventually(() => deposit.inbox.attempts.length === extra, `attempt ${extra}`);
    }
    await gateway.sleep(TWO_DAYS_SECONDS);
    assert.equal(await handleOf(deposit).result(), 'delivered');
    assert.deepEqual(
      deposit.inbox.attempts.slice(-4).map(({ nextPauseSeconds }) => nextPauseSeconds),
      DELIVERY_PAUSES_SECONDS.slice(1, 5),
    );
  });

  it('redeliver: an event that was delivered is sent once more', async () => {
    const deposit = await failedDeposit();
    const input: WebhookDeliveryInput = {
      eventId: eventOf(deposit),
      operationId: deposit.order.operationId,
      attemptsMade: 0,
    };
    const options = {
      workflowId: input.eventId,
      taskQueue: TASK_QUEUES.webhooks,
      args: [input],
      signal: redeliver,
      signalArgs: [],
    };
    await gateway.temporal.client.signalWithStart(WEBHOOK_DELIVERY_WORKFLOW, options);
    assert.equal(await handleOf(deposit).result(), 'delivered');
    assert.deepEqual(
      deposit.inbox.attempts.map(({ workflowId }) => workflowId),
      [null, input.eventId],
    );
  });

  it('redeliver: every request is an attempt, also those that come while one is under way', async () => {
    const deposit = await failedDeposit();
    const input: WebhookDeliveryInput = {
      eventId: eventOf(deposit),
      operationId: deposit.order.operationId,
      attemptsMade: 0,
    };
    const options = {
      workflowId: input.eventId,
      taskQueue: TASK_QUEUES.webhooks,
      args: [input],
      signal: redeliver,
      signalArgs: [],
    };
    deposit.inbox.gate.close();
    await gateway.temporal.client.signalWithStart(WEBHOOK_DELIVERY_WORKFLOW, options);
    await eventually(() => deposit.inbox.attempts.length === 2, 'the first is under way');
    for (const _ of ['second', 'third']) await handleOf(deposit).signal(redeliver);
    deposit.inbox.gate.open();
    await eventually(() => deposit.inbox.attempts.length === 4, 'three more attempts');
    assert.equal(await handleOf(deposit).result(), 'delivered');
    assert.equal(deposit.inbox.attempts.length, 4);
  });

  it('redeliver: asked for while the alert after the last attempt is raised, it is sent, and the alert stays', async () => {
    const deposit = await reviewedDeposit(...Array.from({ length: 10 }, () => 500));
    gateway.world.receiver.alertGate.close();
    // An activity under way holds the clock: the sleep ends after the gate opens.
    const slept = gateway.sleep(TWO_DAYS_SECONDS);
    await eventually(() => alertsOf(deposit).length > 0, 'the alert is being raised');
    await handleOf(deposit).signal(redeliver);
    gateway.world.receiver.alertGate.open();
    await slept;
    assert.equal(await handleOf(deposit).result(), 'delivered');
    assert.equal(deposit.inbox.attempts.length, 11);
  });

  it('redeliver: asked for at the alert and refused again, the delivery ends with the alert raised again', async () => {
    const deposit = await reviewedDeposit(...Array.from({ length: 11 }, () => 500));
    gateway.world.receiver.alertGate.close();
    // An activity under way holds the clock: the sleep ends after the gate opens.
    const slept = gateway.sleep(TWO_DAYS_SECONDS);
    await eventually(() => alertsOf(deposit).length > 0, 'the alert is being raised');
    await handleOf(deposit).signal(redeliver);
    gateway.world.receiver.alertGate.open();
    await slept;
    assert.equal(await handleOf(deposit).result(), 'failed');
    assert.equal(deposit.inbox.attempts.length, 11);
    assert.deepEqual(alertsOf(deposit), ['WEBHOOK_EXHAUSTED', 'WEBHOOK_EXHAUSTED']);
  });

  it('redeliver: a thousand requests are a thousand attempts, in several bounded runs', async function () {
    this.timeout(120_000);
    const REQUESTS = 1_000;
    const deposit = await reviewedDeposit(...Array.from({ length: REQUESTS }, () => 500));
    await eventually(async () => (await stateOf(eventOf(deposit))) === 'RUNNING', 'the delivery workflow');
    const first = (await handleOf(deposit).describe()).runId;
    for (let sent = 0; sent < REQUESTS; sent += 50)
      await Promise.all(Array.from({ length: 50 }, () => handleOf(deposit).signal(redeliver)));
    assert.equal(await handleOf(deposit).result(), 'delivered');
    // One by the payment's workflow, and one for each request.
    assert.equal(deposit.inbox.attempts.length, 1 + REQUESTS);
    const last = await handleOf(deposit).describe();
    assert.notEqual(last.runId, first, 'one run would have more than 7,000 events');
    assert.ok(last.historyLength < 5_000, String(last.historyLength));
    assert.equal(last.typedSearchAttributes.get(SEARCH_ATTRIBUTES.WaitingFor), 'webhook_delivery');
  });

  // The last ones: their deliveries outlive their payments.

  it('later events do not wait behind a failed one', async () => {
    const deposit = await reviewedDeposit(500);
    await deposit.review('approve');
    await eventually(() => deposit.inbox.attempts.length === 2, 'the second event');
    assert.deepEqual(
      deposit.inbox.attempts.map(({ type, attempt }) => [type, attempt]),
      [
        ['deposit.under_review', 1],
        ['deposit.paid', 1],
      ],
    );
  });

  it('the payment does not wait for the retries', async () => {
    const deposit = await failedDeposit(500, 500);
    assert.equal(await stateOf(eventOf(deposit)), 'RUNNING');
  });
});
