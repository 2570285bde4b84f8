// Calls to Temporal: each has a deadline, and every expected end is a value. Queries pass a gate.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
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
import {
  CREATION_UPDATE_ID,
  CREATION_UNAVAILABLE,
  NO_SUCH_PAYMENT,
  NOT_POSSIBLE,
  RUN_ENDED,
} from '../../contract/temporal/payment.js';
import { count } from '../telemetry/instruments.js';

/** The part of the Temporal client that the api uses. Test doubles implement it. */
export type TemporalClient = Pick<
  WorkflowClient,
  'withDeadline' | 'start' | 'executeUpdateWithStart' | 'getHandle' | 'signalWithStart'
>;

export type Reply<T> =
  | { readonly kind: 'answer'; readonly value: T }
  /** The workflow has ended or never existed: the row in PostgreSQL is final. */
  | { readonly kind: 'closed' }
  /** The workflow refused the message before recording it: its state does not allow it. The row has the state. */
  | { readonly kind: 'not_possible' }
  /** No Temporal, no worker, no decision in time, or a limit of Temporal. The outcome is unknown; a retry is safe. */
  | { readonly kind: 'unavailable' };

/** How long the api waits for a workflow, per kind of call. */
export interface Deadlines {
  /** The workflow answers within 7 s (`CREATION_ANSWER_BUDGET_MS`); the rest is for the round trip. */
  readonly creationMs: number;
  readonly actionMs: number;
  /** After this time a read is answered from PostgreSQL. */
  readonly queryMs: number;
  readonly signalMs: number;
  /** How long a sandbox action on an approved withdrawal waits for its payout to reach the provider. */
  readonly payoutArrivalMs: number;
  /** How long a sandbox action waits for the provider's callback before it requests a look-up itself. */
  readonly callbackMs: number;
}

export const DEFAULT_DEADLINES: Deadlines = {
  creationMs: 9_000,
  actionMs: 9_000,
  queryMs: 1_000,
  signalMs: 5_000,
  payoutArrivalMs: 6_000,
  callbackMs: 2_500,
};

/** `anew`: by an update of its own. Temporal answers a known one from the history of the run that answered it first. */
export type CreationAttempt = 'first' | 'anew';

/** The id of the update of an attempt. */
export function creationUpdateId(attempt: CreationAttempt): string {
  return attempt === 'first' ? CREATION_UPDATE_ID : `${CREATION_UPDATE_ID}-${randomUUID()}`;
}

/**
 * FAILED_PRECONDITION: the update was not taken. The task that should have taken it failed because something else came
 * at the same moment, or the run has had all the updates that it may have and continues in another one.
 */
const NOT_TAKEN = 9;
/** RESOURCE_EXHAUSTED: too many updates of a run are under way, or too many calls. */
const LIMIT_CODES = [8, NOT_TAKEN];
/** gRPC codes that a retry can cure: CANCELLED, UNKNOWN, DEADLINE_EXCEEDED, ABORTED, INTERNAL, UNAVAILABLE, limits. */
const PASSING_CODES: ReadonlySet<number> = new Set([1, 2, 4, 10, 13, 14, ...LIMIT_CODES]);

/** CANCELLED (by a server whose time was over), DEADLINE_EXCEEDED, UNAVAILABLE. */
const NO_ANSWER: ReadonlySet<number> = new Set([1, 4, 14]);

/** Whether Temporal was too busy, or went away: what was asked may have been done. */
export function isUnanswered(error: unknown): boolean {
  const cause = error instanceof ServiceError ? error.cause : error;
  return isGrpcServiceError(cause) && NO_ANSWER.has(cause.code);
}

/** The gRPC code for a run that has ended, where the client has no error class for it (update-with-start). */
const NOT_FOUND = 5;

/** The failure type of an update whose workflow ended before its handler did. */
const WORKFLOW_ENDED = 'AcceptedUpdateCompletedWorkflow';

/** The failure types of an update that no run answered: the workflow has ended, or there never was a payment. */
const CLOSED_TYPES: ReadonlySet<string> = new Set([WORKFLOW_ENDED, RUN_ENDED, NO_SUCH_PAYMENT]);

/**
 * Runs one call with a deadline (ms since the epoch), and repeats it once if it was not accepted. Throws faults, such
 * as a bug in a handler or an invalid request.
 */
export async function ask<T>(temporal: TemporalClient, deadlineMs: number, call: () => Promise<T>): Promise<Reply<T>> {
  try {
    const value = await temporal.withDeadline(deadlineMs, call).catch((error: unknown) => {
      if (!hasCode(error, NOT_TAKEN)) throw error;
      return temporal.withDeadline(deadlineMs, call);
    });
    count('gateway_temporal_calls_total', { outcome: 'answer' });
    return { kind: 'answer', value };
  } catch (error) {
    const kind = endOf(error);
    count('gateway_temporal_calls_total', { outcome: kind });
    if (kind === 'fault') throw error;
    return { kind };
  }
}

/**
 * Like `ask`, for a call that reopens an ended workflow. A run that is just ending rejects the call; a second call
 * starts another run.
 */
export async function askReopening<T>(
  temporal: TemporalClient,
  deadlineMs: number,
  call: () => Promise<T>,
): Promise<Reply<T>> {
  const first = await ask(temporal, deadlineMs, call);
  return first.kind === 'closed' ? ask(temporal, deadlineMs, call) : first;
}

/** Pauses before a call is made again whose effect the row does not show: its workflow learns within a moment. */
const BEHIND_PAUSES_MS = [50, 150, 400] as const;

/**
 * Makes a call that changes a row, and answers with the row: whatever is answered through Temporal, only the row says
 * what happened. While the row `isStillOpen` to the call, its workflow is a moment behind it, because a step stores
 * before its workflow learns of it, or somebody else answered. `null` if it stays so: the outcome is not known.
 */
export async function askThenRead<Row>(
  call: () => Promise<Reply<unknown>>,
  read: () => Promise<Row>,
  isStillOpen: (row: Row) => boolean,
): Promise<Row | null> {
  for (const pauseMs of [...BEHIND_PAUSES_MS, null]) {
    const reply = await call();
    if (reply.kind === 'unavailable') return null;
    const row = await read();
    if (!isStillOpen(row)) return row;
    // A row still open without its workflow: the workflow is between its last two steps.
    if (reply.kind === 'closed' || pauseMs === null) return null;
    await sleep(pauseMs);
  }
  return null;
}

type End = Exclude<Reply<never>['kind'], 'answer'> | 'fault';

function endOf(error: unknown): End {
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

function endOfUpdate(cause: unknown): End {
  if (!(cause instanceof ApplicationFailure)) return 'fault';
  if (cause.type === CREATION_UNAVAILABLE) return 'unavailable';
  if (cause.type === NOT_POSSIBLE) return 'not_possible';
  return CLOSED_TYPES.has(cause.type ?? '') ? 'closed' : 'fault';
}

/** Whether the run failed because its creation could not be decided. */
export function isUndecided(error: unknown): boolean {
  return (
    error instanceof WorkflowUpdateFailedError &&
    error.cause instanceof ApplicationFailure &&
    error.cause.type === CREATION_UNAVAILABLE
  );
}

/** Whether Temporal refused a call because of a limit: it took no effect, and may be repeated later. */
export function isLimitReached(error: unknown): boolean {
  return hasCode(error, ...LIMIT_CODES);
}

function hasCode(error: unknown, ...codes: readonly number[]): boolean {
  if (isGrpcServiceError(error)) return codes.includes(error.code);
  return error instanceof ServiceError && hasCode(error.cause, ...codes);
}

/** Whether Temporal itself could not answer. */
export function isPassing(error: unknown): boolean {
  if (isGrpcServiceError(error)) return PASSING_CODES.has(error.code);
  return (
    error instanceof ServiceError &&
    (error.cause === undefined || isPassing(error.cause) || !isGrpcServiceError(error.cause))
  );
}

/**
 * How long the gate stays closed after a query that timed out. Rows are never behind an event that an operator has
 * received, so reads lose milliseconds of freshness at most.
 */
const CLOSED_FOR_MS = 3_000;

/**
 * Queries of one operation under way at once. A worker answers one in milliseconds while it has the workflow in its
 * cache; otherwise it replays a history, for which it has few slots, and all operations share them.
 */
const AT_ONCE_PER_OPERATION = 8;

/**
 * Keeps reads fast, and the workers free for payments: PostgreSQL alone answers while no worker does, and when one
 * operation reads more at once than its share.
 */
export class QueryGate {
  #closedUntilMs = 0;
  readonly #underWay = new Map<string, number>();

  constructor(private readonly nowMs: () => number) {}

  /**
   * Runs the query unless the gate is closed or the operation has enough of them under way. Returns null without an
   * answer, for any reason: reads have another source.
   */
  async pass<T>(operationId: string, question: () => Promise<Reply<T | null>>): Promise<T | null> {
    const underWay = this.#underWay.get(operationId) ?? 0;
    if (this.nowMs() < this.#closedUntilMs || underWay >= AT_ONCE_PER_OPERATION) return null;
    this.#underWay.set(operationId, underWay + 1);
    try {
      const reply = await question().catch(() => ({ kind: 'closed' }) as const);
      if (reply.kind === 'unavailable') this.#closedUntilMs = this.nowMs() + CLOSED_FOR_MS;
      return reply.kind === 'answer' ? reply.value : null;
    } finally {
      this.#end(operationId);
    }
  }

  #end(operationId: string): void {
    const left = (this.#underWay.get(operationId) ?? 1) - 1;
    if (left === 0) this.#underWay.delete(operationId);
    else this.#underWay.set(operationId, left);
  }
}
