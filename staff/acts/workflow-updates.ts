// Sends a person's decision to the workflow of its object, the only writer of that object, and waits for the outcome.
import {
  ApplicationFailure,
  type Client,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  type WorkflowUpdateHandle,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';
import { isLimitReached } from '../../platform/temporal/calls.js';
import type { Database } from '../../store/database.js';
import { closeAct } from '../../store/staff/acts.js';

/** The dependencies of an act that goes to a workflow. */
export interface ActServices {
  readonly database: Database;
  /** Runs `work` with a connected client: connected only for what may succeed. */
  withTemporal<Result>(work: (client: Client) => Promise<Result>): Promise<Result>;
  readonly timeouts?: UpdateTimeouts;
}

export interface UpdateTimeouts {
  /** How long the workflow may take to accept the decision. */
  readonly acceptMs: number;
  /** How long to wait for the outcome. A return takes as long as the provider needs. */
  readonly outcomeMs: number;
}
export const UPDATE_TIMEOUTS: UpdateTimeouts = { acceptMs: 10_000, outcomeMs: 15_000 };

/** The workflow accepted the decision; its outcome is not known yet. */
export interface UnderWay {
  readonly kind: 'under_way';
}

/** The decision did not take effect, or it is unknown whether it did (`no_worker`, `books_silent`). */
export interface Unreached {
  readonly kind: 'unreached';
  readonly reason:
    | 'already_closed'
    | 'no_workflow'
    | 'no_worker'
    | 'failed'
    | 'limit_reached'
    | 'temporal_refused'
    /** The database does not say whether the act was done before it could be closed. */
    | 'books_silent';
  /** The type of the failure. Messages are left out: they may repeat what was sent. */
  readonly failure: string;
}

/** An answer that the books contradict: no worker of the gateway gave it. */
export const NOT_IN_BOOKS: Unreached = { kind: 'unreached', reason: 'failed', failure: 'NotInBooks' };

/** Whether the act may still be done: its workflow has it, or nobody knows. */
export function mayStillBeDone({ reason }: Unreached): boolean {
  return reason === 'no_worker' || reason === 'books_silent';
}

/** Starts an update and waits for its outcome. Never throws. */
export async function settle<Outcome>(
  client: Client,
  { acceptMs, outcomeMs }: UpdateTimeouts,
  start: () => Promise<WorkflowUpdateHandle<Outcome>>,
): Promise<Outcome | UnderWay | Unreached> {
  let update: WorkflowUpdateHandle<Outcome>;
  try {
    update = await client.withDeadline(Date.now() + acceptMs, start);
  } catch (error) {
    return unreached(error);
  }
  try {
    const answer: unknown = await client.withDeadline(Date.now() + outcomeMs, () => update.result());
    return isAnswer(answer) ? (answer as Outcome) : NOT_IN_BOOKS;
  } catch (error) {
    return error instanceof WorkflowUpdateRPCTimeoutOrCancelledError ? { kind: 'under_way' } : unreached(error);
  }
}

/** Anybody may have answered anything. */
function isAnswer(answer: unknown): answer is { readonly kind: string } {
  return typeof (answer as { readonly kind?: unknown } | null | undefined)?.kind === 'string';
}

/**
 * What became of an act, by the books: whatever is answered through Temporal, only they say whether it was done. An act
 * that was not done is closed, so that it never will be; `refused` then says why, as it was answered.
 */
export async function settled<Answer, Done>(
  database: Database,
  actId: string,
  { done, refused }: { readonly done: () => Promise<Done>; readonly refused: () => Promise<Answer> },
): Promise<Answer | Done | Unreached> {
  try {
    return (await closeAct(database, actId)) === 'done' ? await done() : await refused();
  } catch (error) {
    return { kind: 'unreached', reason: 'books_silent', failure: error instanceof Error ? error.name : 'unknown' };
  }
}

/** Judges an error by its class only. */
export function unreached(error: unknown): Unreached {
  const failure = error instanceof Error ? error.name : 'unknown';
  if (error instanceof WorkflowExecutionAlreadyStartedError)
    return { kind: 'unreached', reason: 'already_closed', failure };
  if (error instanceof WorkflowNotFoundError) return { kind: 'unreached', reason: 'no_workflow', failure };
  if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError)
    return { kind: 'unreached', reason: 'no_worker', failure };
  if (error instanceof WorkflowUpdateFailedError)
    return { kind: 'unreached', reason: 'failed', failure: failureType(error.cause) };
  if (isLimitReached(error)) return { kind: 'unreached', reason: 'limit_reached', failure };
  return { kind: 'unreached', reason: 'temporal_refused', failure };
}

/** The type of a failure is one of our own names. */
function failureType(cause: Error | undefined): string {
  return cause instanceof ApplicationFailure ? (cause.type ?? cause.name) : (cause?.name ?? 'unknown');
}
