// Temporal as the api uses it: every call bounded in time, every expected end a value.
import {
  isGrpcServiceError,
  ServiceError,
  WorkflowExecutionAlreadyStartedError,
  WorkflowFailedError,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
  type WorkflowClient,
} from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { CREATION_UNAVAILABLE, NO_SUCH_PAYMENT } from '../../contract/temporal/deposit.js';
import { count } from '../telemetry/instruments.js';

/** The part of the client that the api needs; a test double implements exactly this. */
export type TemporalClient = Pick<
  WorkflowClient,
  'withDeadline' | 'start' | 'executeUpdateWithStart' | 'getHandle' | 'signalWithStart'
>;

export type Reply<T> =
  | { readonly kind: 'answer'; readonly value: T }
  /** The workflow has ended, or never was: what Postgres says is final. */
  | { readonly kind: 'closed' }
  /** No worker, no Temporal, or no decision in time. Nothing is known; repeating is safe. */
  | { readonly kind: 'unavailable' };

/** gRPC codes that a repeat can cure: DEADLINE_EXCEEDED, CANCELLED, RESOURCE_EXHAUSTED, ABORTED, INTERNAL, UNAVAILABLE, UNKNOWN. */
const PASSING_CODES = new Set([1, 2, 4, 8, 10, 13, 14]);

/** The gRPC code of a call to a run that has ended, where the client makes no error of its own of it (update-with-start). */
const NOT_FOUND = 5;

/** What Temporal fails an update with when its workflow ended before the handler did. */
const WORKFLOW_ENDED = 'AcceptedUpdateCompletedWorkflow';

/** Runs one call with a deadline (ms since the epoch). Faults (a bug in a handler, a bad request) are thrown. */
export async function ask<T>(temporal: TemporalClient, deadlineMs: number, call: () => Promise<T>): Promise<Reply<T>> {
  try {
    const value = await temporal.withDeadline(deadlineMs, call);
    count('gateway_temporal_calls_total', { outcome: 'answer' });
    return { kind: 'answer', value };
  } catch (error) {
    const kind = endOf(error);
    count('gateway_temporal_calls_total', { outcome: kind });
    if (kind === 'fault') throw error;
    return { kind };
  }
}

/** As `ask`, for a call that reopens what has ended: a run that ends in this moment takes nothing in, and asked once more the call starts another. */
export async function askReopening<T>(
  temporal: TemporalClient,
  deadlineMs: number,
  call: () => Promise<T>,
): Promise<Reply<T>> {
  const first = await ask(temporal, deadlineMs, call);
  return first.kind === 'closed' ? ask(temporal, deadlineMs, call) : first;
}

function endOf(error: unknown): 'closed' | 'unavailable' | 'fault' {
  if (
    error instanceof WorkflowNotFoundError ||
    error instanceof WorkflowExecutionAlreadyStartedError ||
    error instanceof WorkflowFailedError
  )
    return 'closed';
  if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError) return 'unavailable';
  if (error instanceof WorkflowUpdateFailedError) return endOfUpdate(error.cause);
  if (isGrpcServiceError(error) && error.code === NOT_FOUND) return 'closed';
  return isPassing(error) ? 'unavailable' : 'fault';
}

function endOfUpdate(cause: unknown): 'closed' | 'unavailable' | 'fault' {
  if (!(cause instanceof ApplicationFailure)) return 'fault';
  if (cause.type === CREATION_UNAVAILABLE) return 'unavailable';
  return cause.type === WORKFLOW_ENDED || cause.type === NO_SUCH_PAYMENT ? 'closed' : 'fault';
}

/** Whether the creation's own run said that it could not be decided, and failed. */
export function isUndecided(error: unknown): boolean {
  return (
    error instanceof WorkflowUpdateFailedError &&
    error.cause instanceof ApplicationFailure &&
    error.cause.type === CREATION_UNAVAILABLE
  );
}

/** Whether Temporal itself could not answer. */
export function isPassing(error: unknown): boolean {
  if (isGrpcServiceError(error)) return PASSING_CODES.has(error.code);
  return (
    error instanceof ServiceError &&
    (error.cause === undefined || isPassing(error.cause) || !isGrpcServiceError(error.cause))
  );
}
