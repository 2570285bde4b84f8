// Calls to a workflow that has ended, or ends at that moment.
import { WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure, WorkflowNotFoundError } from '@temporalio/common';
import { NOT_POSSIBLE } from '../../../contract/temporal/payment.js';
import { askReopening, type TemporalClient } from '../../../platform/temporal/calls.js';

const CALL_TIMEOUT_MS = 60_000;
const REOPENINGS = 5;

/**
 * The update's answer; `closed` where no workflow is there to give one. One that was refused before it entered the
 * history is answered with `refused`, as the api answers it from the row.
 */
export async function orClosed<Answer>(update: Promise<Answer>, refused: () => Answer): Promise<Answer | 'closed'> {
  try {
    return await update;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return 'closed';
    if (error instanceof WorkflowUpdateFailedError && failureTypeOf(error) === NOT_POSSIBLE) return refused();
    throw error;
  }
}

/**
 * Makes a call that reopens what has ended, the way the api does: Temporal refuses an update-with-start or a
 * signal-with-start at the moment the run ends (NOT_FOUND), and a repeat starts the next run. The api stops at the
 * second refusal and answers with the row; a test wants the run's own answer.
 */
export async function reopening<Answer>(temporal: TemporalClient, call: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 0; tries < REOPENINGS; tries += 1) {
    const reply = await askReopening(temporal, Date.now() + CALL_TIMEOUT_MS, call);
    if (reply.kind === 'answer') return reply.value;
    if (reply.kind === 'unavailable') break;
  }
  throw new Error('the workflow gave no answer');
}

function failureTypeOf({ cause }: WorkflowUpdateFailedError): string | null {
  return cause instanceof ApplicationFailure ? (cause.type ?? null) : null;
}
