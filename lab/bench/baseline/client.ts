// The bare baseline from its caller's side.
import { Connection, type WorkflowHandle, WithStartWorkflowOperation, WorkflowClient } from '@temporalio/client';
import { BASELINE_TASK_QUEUE } from './task-queue.js';
import type { BareHalf, bareDeposit } from './workflows.js';

export interface Baseline {
  /** Update-with-start: answers when the first half is done. */
  open(before: BareHalf, after: BareHalf): Promise<WorkflowHandle<typeof bareDeposit>>;
  /** The signal, the second half, the end. */
  finish(handle: WorkflowHandle<typeof bareDeposit>): Promise<void>;
  close(): Promise<void>;
}

export async function connectBaseline({
  address,
  namespace,
}: {
  address: string;
  namespace: string;
}): Promise<Baseline> {
  const connection = await Connection.connect({ address });
  const client = new WorkflowClient({ connection, namespace });
  let number = 0;
  return {
    open: async (before, after) => {
      number += 1;
      const workflowId = `bare-${process.pid}-${number}`;
      const startWorkflowOperation = new WithStartWorkflowOperation<typeof bareDeposit>('bareDeposit', {
        workflowId,
        taskQueue: BASELINE_TASK_QUEUE,
        args: [before, after],
        workflowIdConflictPolicy: 'FAIL',
      });
      await client.executeUpdateWithStart('opened', { startWorkflowOperation });
      return client.getHandle<typeof bareDeposit>(workflowId);
    },
    finish: async (handle) => {
      await handle.signal('paid');
      await handle.result();
    },
    close: () => connection.close(),
  };
}
