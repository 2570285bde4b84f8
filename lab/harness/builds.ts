// Which worker builds completed a workflow's tasks, read from its history.
import type { Stack } from './stack.js';

export interface BuildHistory {
  /** The builds that completed its tasks, in order, each once in a row. */
  readonly builds: readonly string[];
  readonly isOpen: boolean;
}

/** Of the workflow's newest run. */
export async function buildsOf({ temporal }: Stack, workflowId: string): Promise<BuildHistory> {
  const handle = temporal.client.workflow.getHandle(workflowId);
  const { events } = await handle.fetchHistory();
  const done = (events ?? []).flatMap(({ workflowTaskCompletedEventAttributes: task }) =>
    task ? [task.deploymentVersion?.buildId ?? 'none'] : [],
  );
  return {
    builds: done.filter((build, index) => build !== done[index - 1]),
    isOpen: (await handle.describe()).status.name === 'RUNNING',
  };
}
