// What activities ask of Temporal, through the worker's own client: each call ends in time.
import { type Client, WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/client';
import type { NotifyPayment } from '../activities/account-sweep/page.js';
import type { OpenWorkflows } from '../activities/operations/open-check.js';
import type { Histories } from '../activities/operations/housekeeping.js';
import type { StartDelivery } from '../activities/webhooks/memory-attempts.js';
import { RULE_CHANGE_WORKFLOW, ruleChangeStart } from '../contract/temporal/rule-change.js';
import {
  deliveryOptions,
  WEBHOOK_DELIVERY_WORKFLOW,
  type WebhookDeliveryInput,
} from '../contract/temporal/webhook-delivery.js';
import type { DepositStatus } from '../domain/payments/deposit.js';
import type { WithdrawalStatus } from '../domain/payments/withdrawal.js';
import { ask, DEFAULT_DEADLINES } from '../platform/temporal/calls.js';
import { DepositWorkflows, WithdrawalWorkflows } from '../platform/temporal/payment-workflows.js';
import { openRunOf, type OrderProof, progressOf } from '../platform/temporal/open-runs.js';
import type { Database } from '../store/database.js';
import type { OpenObject } from '../store/payments/open-objects.js';
import { readPaymentToStart } from '../store/payments/payment-ids.js';
import { isProvenOrder } from '../store/sealing/orders.js';
import type { Sealer } from '../store/sealing/sealer.js';

const CALL_TIMEOUT_MS = 10_000;

/** Makes a call that fails when Temporal has not answered in time. */
export function boundedCalls(client: Client): <Result>(call: () => Promise<Result>) => Promise<Result> {
  return (call) => client.withDeadline(Date.now() + CALL_TIMEOUT_MS, call);
}

/** Notify a payment of what a list shows of it, as a callback would. */
export function listNotices(client: Client): Record<'notifyDeposit' | 'notifyWithdrawal', NotifyPayment> {
  const noticesTo =
    (workflows: DepositWorkflows | WithdrawalWorkflows): NotifyPayment =>
    async ({ operationName, ...payment }) =>
      (await workflows.notify(payment, operationName)).kind === 'answer';
  return {
    notifyDeposit: noticesTo(new DepositWorkflows(client.workflow, DEFAULT_DEADLINES)),
    notifyWithdrawal: noticesTo(new WithdrawalWorkflows(client.workflow, DEFAULT_DEADLINES)),
  };
}

/** The run of each open object, ending one, and reopening one from its row. */
export function openWorkflows(client: Client, database: Database, sealer: Sealer): OpenWorkflows {
  const deposits = new DepositWorkflows(client.workflow, DEFAULT_DEADLINES);
  const withdrawals = new WithdrawalWorkflows(client.workflow, DEFAULT_DEADLINES);
  const bounded = boundedCalls(client);
  const isProven: OrderProof = (kind, order) => isProvenOrder(sealer, kind, order);

  return {
    progress: (id) => bounded(() => progressOf(client, id)),
    run: (object) => bounded(() => openRunOf(client, object, isProven)),
    end: async (id, runId, reason) => {
      try {
        await bounded(() => client.workflow.getHandle(id, runId).terminate(reason));
      } catch (error) {
        if (!(error instanceof WorkflowNotFoundError)) throw error;
      }
    },
    reopen: async (object, operationName) => {
      if (object.kind === 'rule_change') return reopenRuleChange(client, object, operationName);
      const payment = await readPaymentToStart(database, object.kind, object.id);
      if (payment === null) return false;
      const reply =
        object.kind === 'deposit'
          ? await deposits.reopen({ ...payment, status: payment.status as DepositStatus }, operationName)
          : await withdrawals.reopen({ ...payment, status: payment.status as WithdrawalStatus }, operationName);
      return reply.kind === 'answer';
    },
  };
}

async function reopenRuleChange(client: Client, { id, operationId }: OpenObject, name: string): Promise<boolean> {
  const reply = await ask(client.workflow, Date.now() + CALL_TIMEOUT_MS, () =>
    client.workflow.start(RULE_CHANGE_WORKFLOW, ruleChangeStart({ changeId: id, operationId }, name)),
  );
  return reply.kind === 'answer';
}

/** Starts the delivery workflow of an event, one of whose attempts this process made. */
export function deliveryStarts(client: Client): StartDelivery {
  const bounded = boundedCalls(client);
  return async (delivery) => {
    try {
      await bounded(() =>
        client.workflow.start<(input: WebhookDeliveryInput) => Promise<unknown>>(
          WEBHOOK_DELIVERY_WORKFLOW,
          deliveryOptions(delivery),
        ),
      );
    } catch (error) {
      // A run that came late continues. If it is none of ours, the outbox has when the next attempt is due.
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    }
  };
}

/** Deletes the histories of a workflow, all runs of it. */
export function historiesOf(client: Client): Histories {
  const bounded = boundedCalls(client);
  return {
    delete: async (workflowId) => {
      const runs = await bounded(() => runsOf(client, workflowId));
      if (runs.some(({ isRunning }) => isRunning)) return false;
      const { namespace } = client.options;
      for (const { runId } of runs)
        await bounded(() =>
          client.workflowService.deleteWorkflowExecution({ namespace, workflowExecution: { workflowId, runId } }),
        );
      return true;
    },
  };
}

async function runsOf(client: Client, workflowId: string): Promise<{ runId: string; isRunning: boolean }[]> {
  const runs = [];
  for await (const { runId, status } of client.workflow.list({ query: `WorkflowId = "${workflowId}"` }))
    runs.push({ runId, isRunning: status.name === 'RUNNING' });
  return runs;
}
