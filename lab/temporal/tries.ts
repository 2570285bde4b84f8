// The activities of a run: offered to a worker, tried, timed out and tried again as their options say. Those that run
// in the workflow's own task end with the worker that has it.
import type { RunHost, Serving, StepInfo } from './host.js';
import type { Pending } from './parts.js';
import {
  cancelled,
  failed,
  type Failure,
  failureOf,
  isFinalFailure,
  type Job,
  msOf,
  payloads,
  timedOut,
  tryTimedOut,
} from './workflow-code.js';

/** The run that the activities belong to. */
interface Owner {
  isOpen(): boolean;
  /** Whether this worker has the open task. */
  holds(serving: Serving): boolean;
  /** What its own task runs is served here. */
  serving(): Serving | null;
  resolved(job: Job, isLocal: boolean): void;
  tried(name: string): void;
  readonly workflowExecution: StepInfo['workflowExecution'];
}

export class Tries {
  readonly #pending = new Map<number, Pending>();

  constructor(
    private readonly host: RunHost,
    private readonly owner: Owner,
  ) {}

  get all(): readonly Pending[] {
    return [...this.#pending.values()];
  }

  get hasLocals(): boolean {
    return this.all.some(({ isLocal }) => isLocal);
  }

  /** `serving`: of the task, for one that runs in it. */
  add(activity: Pending, serving: Serving | null): void {
    this.#pending.set(activity.seq, activity);
    if (serving === null) this.#offer(activity);
    else this.#try(activity, serving);
  }

  /** One between two tries, or whose end is not waited for, ends as cancelled; another goes on to its end. */
  cancel(seq: number): void {
    const activity = this.#pending.get(seq);
    if (activity === undefined || (activity.underWay !== null && activity.endsItself)) return;
    this.#settle(activity, { cancelled: { failure: cancelled(activity) } });
  }

  /** The task is lost, and with it what it ran. */
  forgetLocals(): void {
    for (const activity of this.all) if (activity.isLocal) this.#drop(activity);
  }

  clear(): void {
    for (const activity of this.all) this.#drop(activity);
  }

  workersChanged(): void {
    for (const activity of this.all) {
      if (activity.isLocal) continue;
      if (activity.underWay?.process.isDead === true && activity.heartbeatMs !== null) this.#missesHeartbeat(activity);
      if (activity.underWay === null && activity.stops.length === 0) this.#offer(activity);
    }
  }

  #drop(activity: Pending): void {
    for (const stop of activity.stops.splice(0)) stop();
    this.#pending.delete(activity.seq);
  }

  #isThere(activity: Pending): boolean {
    return this.owner.isOpen() && this.#pending.get(activity.seq) === activity;
  }

  #offer(activity: Pending): void {
    const { clock } = this.host;
    if (this.host.serving(activity.queue) !== null) {
      activity.stops.push(clock.after(this.host.taskDelayMs(), () => this.#start(activity)));
      return;
    }
    const limitMs = Math.min(activity.startWithinMs ?? Infinity, (activity.endsAtMs ?? Infinity) - clock.nowMs);
    if (limitMs === Infinity) return;
    clock.after(limitMs, () => {
      if (this.#isThere(activity) && activity.underWay === null)
        this.#settle(activity, { failed: { failure: timedOut(activity) } });
    });
  }

  #start(activity: Pending): void {
    activity.stops.length = 0;
    if (!this.#isThere(activity) || activity.underWay !== null) return;
    const serving = this.host.serving(activity.queue);
    if (serving === null) this.#offer(activity);
    else this.#try(activity, serving);
  }

  #try(activity: Pending, { process, activities }: Serving): void {
    const underWay = { process };
    const { clock } = this.host;
    activity.underWay = underWay;
    activity.tries += 1;
    const isCurrent = () => activity.underWay === underWay && this.#isThere(activity);
    const limitMs = Math.min(activity.tryWithinMs ?? Infinity, (activity.endsAtMs ?? Infinity) - clock.nowMs);
    if (limitMs !== Infinity)
      activity.stops.push(
        clock.after(limitMs, () => {
          if (isCurrent() && !(activity.isLocal && process.isDead))
            this.#failed(activity, tryTimedOut(activity.last), false);
        }),
      );
    const step = activities[activity.name];
    const attempt = process.run(async () => {
      if (step === undefined) throw new Error(`the queue ${activity.queue} does not offer ${activity.name}`);
      const info: StepInfo = {
        activityType: activity.name,
        isLocal: activity.isLocal,
        attempt: activity.tries,
        currentAttemptScheduledTimestampMs: clock.nowMs,
        workflowExecution: this.owner.workflowExecution,
      };
      return this.host.inContext(info, () => step(activity.input));
    });
    this.owner.tried(activity.name);
    attempt.then(
      (result) => {
        if (!isCurrent() || process.isDead) return;
        this.#settle(activity, { completed: { result: payloads(result)[0] ?? null } });
      },
      (error: unknown) => {
        if (isCurrent() && !process.isDead) this.#failed(activity, failureOf(error), isFinalFailure(error));
      },
    );
  }

  /** A try failed. */
  #failed(activity: Pending, failure: Failure, isFinal: boolean): void {
    const { clock } = this.host;
    for (const stop of activity.stops.splice(0)) stop();
    activity.underWay = null;
    activity.last = failure;
    const named = msOf(failure.applicationFailureInfo?.nextRetryDelay);
    const pauseMs = named ?? Math.min(activity.firstMs * activity.factor ** (activity.tries - 1), activity.mostMs);
    // Temporal gives up at once, with this failure, when the next try would come too late.
    const isLate = activity.endsAtMs !== null && clock.nowMs + pauseMs >= activity.endsAtMs;
    if (isFinal || isLate || activity.tries >= activity.mostTries)
      return this.#settle(activity, { failed: { failure: failed(activity) } });
    activity.stops.push(
      clock.after(pauseMs, () => {
        if (!activity.isLocal) return this.#start(activity);
        activity.stops.length = 0;
        const serving = this.owner.serving();
        if (this.#isThere(activity) && serving !== null && this.owner.holds(serving)) this.#try(activity, serving);
      }),
    );
  }

  #missesHeartbeat(activity: Pending): void {
    const { underWay } = activity;
    this.host.clock.after(activity.heartbeatMs ?? 0, () => {
      if (activity.underWay === underWay && this.#isThere(activity))
        this.#failed(activity, tryTimedOut(activity.last), false);
    });
  }

  #settle(activity: Pending, result: object): void {
    if (this.#pending.get(activity.seq) !== activity) return;
    this.#drop(activity);
    activity.underWay = null;
    const { seq, isLocal } = activity;
    this.owner.resolved({ resolveActivity: { seq, result, isLocal } }, isLocal);
  }
}
