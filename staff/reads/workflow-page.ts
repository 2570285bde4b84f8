// What a workflow reports: whether it runs, what it waits for and what comes next, as its page in the Temporal UI shows
// it. The call has a short deadline and never fails: without an answer, callers use the database.
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { SEARCH_ATTRIBUTES, WAITING_FOR, type WaitingFor } from '../../contract/temporal/search-attributes.js';

/** An activity that is running or will be retried. */
export interface PendingActivity {
  readonly activity: string;
  readonly attempt: number;
  readonly next_attempt_at: Date | null;
  /** The type of the last failure, which is one of our own names. */
  readonly last_failure: string | null;
}

export type WorkflowPage =
  | {
      readonly answer: 'page';
      readonly run_id: string;
      /** `running`, `completed`, `terminated`, … */
      readonly status: string;
      readonly waiting_for: WaitingFor | null;
      /** The workflow's status line; null if no worker answered, or it has closed. */
      readonly says: string | null;
      readonly pending_activities: readonly PendingActivity[];
    }
  /** Temporal does not have this workflow, or no longer. */
  | { readonly answer: 'no_workflow' }
  /** Temporal did not answer in time. */
  | { readonly answer: 'none' };

const TIMEOUT_MS = 3_000;

/** The page of each workflow, by its id. Queries all at once. Never throws. */
export async function readWorkflowPages(
  client: Client,
  ids: readonly string[],
  timeoutMs = TIMEOUT_MS,
): Promise<ReadonlyMap<string, WorkflowPage>> {
  const deadline = Date.now() + timeoutMs;
  const pages = await Promise.all(ids.map((id) => readPage(client, id, deadline)));
  return new Map(ids.map((id, index) => [id, pages[index] ?? { answer: 'none' }]));
}

type Description = Awaited<ReturnType<ReturnType<Client['workflow']['getHandle']>['describe']>>;

async function readPage(client: Client, id: string, deadline: number): Promise<WorkflowPage> {
  try {
    const described = await client.withDeadline(deadline, () => client.workflow.getHandle(id).describe());
    const isRunning = described.status.name === 'RUNNING';
    const says = isRunning ? await readLine(client, id, deadline) : null;
    return {
      answer: 'page',
      run_id: described.runId,
      status: described.status.name.toLowerCase(),
      waiting_for: waitingForOf(described),
      says,
      pending_activities: pendingOf(described),
    };
  } catch (error) {
    return error instanceof WorkflowNotFoundError ? { answer: 'no_workflow' } : { answer: 'none' };
  }
}

function waitingForOf({ typedSearchAttributes }: Description): WaitingFor | null {
  const value = typedSearchAttributes.get(SEARCH_ATTRIBUTES.WaitingFor);
  return WAITING_FOR.find((name) => name === value) ?? null;
}

/** The current details as plain text; null if no worker answers the query. */
async function readLine(client: Client, id: string, deadline: number): Promise<string | null> {
  try {
    const metadata = await client.withDeadline(deadline, () =>
      client.workflow.getHandle(id).query<{ currentDetails?: string }>('__temporal_workflow_metadata'),
    );
    const details = metadata.currentDetails ?? '';
    return details === '' ? null : details.replaceAll('**', '');
  } catch {
    return null;
  }
}

function pendingOf({ raw }: Description): PendingActivity[] {
  return (raw.pendingActivities ?? []).map(({ activityType, attempt, scheduledTime, lastFailure }) => ({
    activity: activityType?.name ?? '',
    attempt: attempt ?? 1,
    next_attempt_at: scheduledTime?.seconds == null ? null : new Date(Number(scheduledTime.seconds) * 1_000),
    last_failure: lastFailure?.applicationFailureInfo?.type ?? null,
  }));
}
