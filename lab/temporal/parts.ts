// What runs keep: their activities and updates, and what of a task a replay is compared with.
import type { TaskQueue } from '../../contract/temporal/workers.js';
import type { LabProcess } from '../machine/processes.js';
import { type Command, type Failure, type Job, msOf, type NamedActivity, valueOf } from './workflow-code.js';

/** An activity that was scheduled and has no result yet. */
export interface Pending extends NamedActivity {
  readonly input: unknown;
  readonly queue: TaskQueue;
  readonly isLocal: boolean;
  /** Whether one that is under way is told of a cancellation, and ends it by itself. */
  readonly endsItself: boolean;
  readonly firstMs: number;
  readonly factor: number;
  readonly mostMs: number;
  readonly mostTries: number;
  readonly startWithinMs: number | null;
  readonly tryWithinMs: number | null;
  readonly heartbeatMs: number | null;
  readonly endsAtMs: number | null;
  last: Failure | null;
  tries: number;
  /** The try under way. */
  underWay: { readonly process: LabProcess } | null;
  readonly stops: (() => void)[];
}

export type UpdateEnd =
  | { readonly kind: 'answered'; readonly value: unknown }
  | { readonly kind: 'failed'; readonly error: Error }
  /** The run ended before it answered; `isAccepted`: after it had accepted the update. */
  | { readonly kind: 'lost'; readonly isAccepted: boolean };

export class RunUpdate {
  isAccepted = false;
  end: UpdateEnd | null = null;
  readonly #heard: (() => void)[] = [];

  constructor(readonly id: string) {}

  changed(change: Partial<Pick<RunUpdate, 'isAccepted' | 'end'>>): void {
    Object.assign(this, change);
    for (const hear of this.#heard.splice(0)) hear();
  }

  /** Resolves once `isThere`. */
  async until(isThere: (update: RunUpdate) => boolean): Promise<void> {
    while (!isThere(this)) await new Promise<void>((resolve) => void this.#heard.push(resolve));
  }
}

/** WAIT_CANCELLATION_COMPLETED */
const WAITS_FOR_CANCELLATION = 1;

/** The activity that a command wants. */
export function pendingOf(command: Command, nowMs: number, ownQueue: TaskQueue): Pending {
  const asked = command.scheduleActivity ?? command.scheduleLocalActivity;
  if (asked == null) throw new Error('not an activity');
  const { retryPolicy: retry } = asked;
  const closeMs = msOf(asked.scheduleToCloseTimeout);
  return {
    seq: Number(asked.seq),
    name: asked.activityType ?? '',
    input: valueOf(asked.arguments?.[0]),
    queue: ('taskQueue' in asked && asked.taskQueue ? asked.taskQueue : ownQueue) as TaskQueue,
    isLocal: command.scheduleLocalActivity != null,
    endsItself: asked.cancellationType === WAITS_FOR_CANCELLATION,
    firstMs: msOf(retry?.initialInterval) ?? 1_000,
    factor: retry?.backoffCoefficient || 2,
    mostMs: msOf(retry?.maximumInterval) || 100_000,
    mostTries: retry?.maximumAttempts || Infinity,
    startWithinMs: msOf(asked.scheduleToStartTimeout) || null,
    tryWithinMs: msOf(asked.startToCloseTimeout) || null,
    heartbeatMs: 'heartbeatTimeout' in asked ? msOf(asked.heartbeatTimeout) || null : null,
    endsAtMs: closeMs ? nowMs + closeMs : null,
    last: null,
    tries: 0,
    underWay: null,
    stops: [],
  };
}

/** Equal for equal commands: their kinds, activities and numbers. */
export function outlineOf(commands: readonly Command[]): string {
  const kinds = commands.map((command) => {
    const activity = command.scheduleActivity ?? command.scheduleLocalActivity;
    const kind = Object.keys(command).find((name) => name !== 'userMetadata' && name !== 'summary');
    return [kind, activity?.activityType, activity?.seq ?? command.startTimer?.seq]
      .filter((part) => part != null)
      .join(' ');
  });
  return kinds.join(', ');
}

export type RunEnd =
  | { readonly kind: 'completed'; readonly value: unknown }
  | { readonly kind: 'failed' | 'terminated'; readonly message: string }
  | { readonly kind: 'continued' };

/** A part of a history: an activation, and what it wanted. */
export interface Past {
  readonly jobs: readonly Job[];
  readonly atMs: number;
  readonly historyLength: number;
  readonly suggestsContinueAsNew: boolean;
  /** Whether it begins a task: what a worker's own activities answer within a task does not. */
  readonly beginsTask: boolean;
  /** What it wanted, to compare a replay with. */
  wanted: string;
}

/** The history that a run takes over from another: a reset. */
export interface Origin {
  readonly past: readonly Past[];
  /** What the task after it gets, and what was sent to the run since. */
  readonly jobs: readonly Job[];
  readonly startedAtMs: number;
  readonly seed: readonly number[];
  readonly firstRunId: string;
  readonly updates: readonly RunUpdate[];
}

/** What a replayed history began and has no end of: timers, activities, and those of the task's own worker. */
export class Begun {
  readonly #locals = new Map<number, Command>();
  readonly #activities = new Map<number, Wanted>();
  readonly #timers = new Map<number, Wanted>();

  add({ jobs, atMs }: { readonly jobs: readonly Job[]; readonly atMs: number }, commands: readonly Command[]): void {
    for (const { resolveActivity, fireTimer } of jobs) {
      if (resolveActivity != null)
        (resolveActivity.isLocal === true ? this.#locals : this.#activities).delete(Number(resolveActivity.seq));
      if (fireTimer != null) this.#timers.delete(Number(fireTimer.seq));
    }
    for (const command of commands) {
      const { scheduleLocalActivity, requestCancelLocalActivity, scheduleActivity, startTimer, cancelTimer } = command;
      if (scheduleLocalActivity != null) this.#locals.set(Number(scheduleLocalActivity.seq), command);
      else if (requestCancelLocalActivity != null) this.#locals.delete(Number(requestCancelLocalActivity.seq));
      else if (scheduleActivity != null) this.#activities.set(Number(scheduleActivity.seq), { command, atMs });
      else if (startTimer != null) this.#timers.set(Number(startTimer.seq), { command, atMs });
      else if (cancelTimer != null) this.#timers.delete(Number(cancelTimer.seq));
    }
  }

  get locals(): readonly Command[] {
    return [...this.#locals.values()];
  }

  get others(): readonly Wanted[] {
    return [...this.#activities.values(), ...this.#timers.values()];
  }
}

interface Wanted {
  readonly command: Command;
  readonly atMs: number;
}
