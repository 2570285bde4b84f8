// What is asked of a workflow that has ended, or ends at that moment.
import { WorkflowNotFoundError } from '@temporalio/common';

/** The update's answer, or `closed` where no workflow is there to give one. */
export async function orClosed<Answer>(update: Promise<Answer>): Promise<Answer | 'closed'> {
  try {
    return await update;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return 'closed';
    throw error;
  }
}

/** The time-skipping server refuses a signal-with-start at the moment in which the run ends; asked again, it begins the next run. */
export async function orOnceMore<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return ask();
    throw error;
  }
}
