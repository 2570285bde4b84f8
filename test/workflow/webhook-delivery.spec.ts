// Webhooks: the first attempt concurrently with the payment, the retries in their own workflow, over two days.
import assert from 'node:assert/strict';
import { WorkflowNotFoundError } from '@temporalio/client';
import {
  deliveryOptions,
  DELIVERY_PAUSES_SECONDS,
  WEBHOOK_DELIVERY_WORKFLOW,
} from '../../contract/temporal/webhook-delivery.js';
import type { DepositCase } from './harness/deposit-case.js';
import { eventually } from '../../lab/harness/eventually.js';
import { useGateway } from './harness/gateway.js';
import type { ReceiverAnswer } from '../support/fakes/receiver.js';

const TWO_DAYS_SECONDS = 2 * 86_400;

describe('webhook delivery', () => {
  const gateway = useGateway();

  /** A deposit whose last event, `deposit.under_review`, meets these answers. */
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
    const pauses = attempts.slice(1).map(({ atMs }, index) => Math.floor((atMs - (attempts[index]?.atMs ?? 0)) / 1000));
    // The first attempt is made by a process: on a busy machine its workflow starts a moment later.
    const [handedOver = 0, ...others] = pauses;
    assert.ok(handedOver >= 10 && handedOver < 30, `${handedOver} s`);
    assert.deepEqual(others, DELIVERY_PAUSES_SECONDS.slice(1));
    await eventually(() => alertsOf(deposit).length > 0, 'the alert');
    assert.deepEqual(alertsOf(deposit), ['WEBHOOK_EXHAUSTED']);
    assert.equal(await handleOf(deposit).result(), 'failed');
  });

  it('failing → delivered: the operator is back at the fourth attempt', async () => {
    const deposit = await reviewedDeposit(500, 'no_connection', 302);
    await eventually(async () => (await stateOf(eventOf(deposit))) === 'RUNNING', 'the delivery workflow');
    await gateway.sleep(TWO_DAYS_SECONDS);
    assert.equal(await handleOf(deposit).result(), 'delivered');
    assert.equal(deposit.inbox.attempts.length, 4);
    assert.deepEqual(alertsOf(deposit), []);
  });

  it('not due: what somebody else has delivered ends the workflow', async () => {
    const deposit = await reviewedDeposit(500, 500, 'not_due');
    await gateway.sleep(TWO_DAYS_SECONDS);
    assert.equal(await handleOf(deposit).result(), 'not_due');
    assert.equal(deposit.inbox.attempts.length, 3);
    assert.deepEqual(alertsOf(deposit), []);
  });

  it('started by hand, for an event that awaits another attempt: ends before its pause', async () => {
    const deposit = await gateway.pendingDeposit();
    await eventually(() => deposit.inbox.attempts.length === 1, 'deposit.pending was delivered');
    const input = { eventId: eventOf(deposit), operationId: deposit.order.operationId, attemptsMade: 9 };
    await gateway.temporal.client.start(WEBHOOK_DELIVERY_WORKFLOW, deliveryOptions(input));
    await eventually(async () => (await stateOf(input.eventId)) === 'COMPLETED', 'the run ended');
    assert.equal(await handleOf(deposit).result(), 'not_due');
    assert.equal(deposit.inbox.attempts.length, 1);
  });
});
