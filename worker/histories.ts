// Deletes the histories of a workflow from Temporal, all runs of it.
import type { Client } from '@temporalio/client';
import type { Histories } from '../activities/operations/retention.js';
import { boundedCalls } from './bounded-calls.js';

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
