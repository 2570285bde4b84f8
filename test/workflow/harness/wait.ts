// Updates of a workflow that has ended.
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
