// Raises an alert when the tasks of a workflow fail again and again: the payment stands still, and the workflow itself
// can say nothing. The worker that sees a task fail asks the server how often it did, whoever had it before.
import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import { raiseAlert } from '../activities/alerts.js';
import { alertOf } from '../domain/alert-records.js';
import { FAILED_TASKS_ALERTED, progressOf } from '../platform/temporal/open-runs.js';
import type { Database } from '../store/database.js';
import { operationOfPayment } from '../store/payments/payment-ids.js';
import { boundedCalls } from './temporal-calls.js';
import { type FailedTask, onFailedTask } from './suspects-thread.js';

/** Workflows that wait to be looked at. What is left out fails again. */
const MOST_WAITING = 1_000;

/** What a report needs. */
export interface Reporting {
  readonly client: Client;
  readonly database: Database;
  readonly logger: Logger;
}

/** Reports, one workflow at a time, until the returned function is called. */
export function reportFailingTasks(reporting: Reporting): () => void {
  const waiting = new Map<string, FailedTask>();
  let isReporting = false;

  async function reportAll(): Promise<void> {
    if (isReporting) return;
    isReporting = true;
    for (const [runId, failed] of waiting) {
      waiting.delete(runId);
      await report(reporting, failed).catch((error: unknown) => {
        reporting.logger.warn({ workflowId: failed.workflowId, err: error }, 'a failing workflow was not reported');
      });
    }
    isReporting = false;
  }

  return onFailedTask((failed) => {
    if (waiting.size < MOST_WAITING) waiting.set(failed.runId, failed);
    void reportAll();
  });
}

async function report({ client, database, logger }: Reporting, failed: FailedTask): Promise<void> {
  const { workflowId, runId } = failed;
  const progress = await boundedCalls(client)(() => progressOf(client, workflowId));
  if (progress === null || progress.runId !== runId || progress.failedTasks < FAILED_TASKS_ALERTED) return;
  await raiseAlert(database, logger, {
    ...failingAlert(failed),
    occasion: null,
    operationId: await operationOf(database, workflowId),
    objectId: workflowId,
    at: new Date().toISOString(),
  });
}

function failingAlert({ workflowType: workflow, reason }: FailedTask) {
  switch (reason.is) {
    case 'history':
    case 'endless':
      return alertOf('WORKFLOW_FAILING', reason.is, { workflow });
    case 'error':
      return alertOf('WORKFLOW_FAILING', 'error', { workflow, ...reason });
  }
}

/** `null` if it is no payment's. By the id: the type is whatever its starter wrote. */
async function operationOf(database: Database, id: string): Promise<string | null> {
  return (
    (await operationOfPayment(database, { kind: 'deposit', id })) ??
    (await operationOfPayment(database, { kind: 'withdrawal', id }))
  );
}
