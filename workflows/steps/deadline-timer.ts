// The timers of workflows. Every timer names in the Temporal UI what happens when it fires.
import { CancellationScope, condition, isCancellation, sleep } from '@temporalio/workflow';
import { clockRevision, isReached, millisecondsUntil } from './clock.js';

/**
 * A payment's one durable timer. It is replaced only when the deadline changes: otherwise every look-up of a payment
 * would add timer events to its history.
 */
export class DeadlineTimer {
  private deadline: string | null = null;
  private clock = 0;
  private scope: CancellationScope | null = null;
  private fired = false;
  private suspended = false;

  /** Whether the deadline has passed; `false` again when another deadline is set. */
  get isDue(): boolean {
    return this.fired && !this.suspended;
  }

  /** Ignored until set again. The durable timer keeps running: cancelling it would cost more events. */
  suspend(): void {
    this.suspended = true;
  }

  /**
   * Sets or moves the deadline, by the operation's clock; `null` removes it. `what` describes what happens then, and
   * names the timer in the Temporal UI.
   */
  set(deadline: string | null, what: string): void {
    this.suspended = false;
    if (deadline === this.deadline && clockRevision() === this.clock) return;
    this.scope?.cancel();
    this.scope = null;
    this.deadline = deadline;
    this.clock = clockRevision();
    this.fired = false;
    if (deadline !== null) this.start(deadline, what);
  }

  /** A clock that stands still reaches nothing: then there is no timer until it is set. */
  private start(deadline: string, what: string): void {
    const milliseconds = millisecondsUntil(deadline);
    if (milliseconds === null) return;
    const scope = new CancellationScope();
    this.scope = scope;
    const run = async () => {
      await sleep(Math.max(1, milliseconds), { summary: `${what} at ${deadline}` });
      this.fired = true;
    };
    void scope.run(run).catch((error: unknown) => {
      if (!isCancellation(error)) throw error;
    });
  }
}

/** Waits until `isTrue` holds. */
export function waitUntil(isTrue: () => boolean): Promise<void> {
  return condition(isTrue);
}

/**
 * Waits until `isTrue` holds, or so many real milliseconds have passed, because somebody waits for an answer. Returns
 * whether `isTrue` holds. `what` describes what happens then, and names the timer in the Temporal UI.
 */
export async function waitAtMost(isTrue: () => boolean, milliseconds: number, what: string): Promise<boolean> {
  if (isTrue()) return true;
  if (milliseconds <= 0) return false;
  const at = new Date(Date.now() + milliseconds).toISOString();
  return condition(isTrue, milliseconds, { summary: `${what} at ${at}` });
}

/**
 * Waits until `isTrue` holds or the operation's time has reached the deadline (RFC 3339). Returns whether `isTrue`
 * holds.
 */
export async function waitForTime(isTrue: () => boolean, deadline: string, what: string): Promise<boolean> {
  while (!isTrue()) {
    if (isReached(deadline)) return false;
    const revision = clockRevision();
    const isOver = () => isTrue() || clockRevision() !== revision;
    const milliseconds = millisecondsUntil(deadline);
    if (milliseconds === null) await condition(isOver);
    else await condition(isOver, milliseconds, { summary: `${what} at ${deadline}` });
  }
  return true;
}
