// The hourly check's view of Temporal: the run of each open object, ending one, and reopening one from its row.
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import type { NotifyPayment } from '../activities/account-sweep/page.js';
import type { OpenWorkflows } from '../activities/operations/open-check.js';
import { RULE_CHANGE_WORKFLOW, ruleChangeStart } from '../contract/temporal/rule-change.js';
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
import { boundedCalls, CALL_TIMEOUT_MS } from './bounded-calls.js';

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
