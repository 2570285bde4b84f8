// The timers of workflows. Every timer names in the Temporal UI what happens when it fires.
import { CancellationScope, condition, isCancellation, sleep } from '@temporalio/workflow';
import { millisecondsUntil } from './clock.js';

/**
 * A payment's one durable timer. It is replaced only when the deadline changes: otherwise every look-up of a payment
 * would add timer events to its history.
 */
export class DeadlineTimer {
  private deadline: string | null = null;
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
   * Sets or moves the deadline; `null` removes it. `what` describes what happens then, and names the timer in the
   * Temporal UI.
   */
  set(deadline: string | null, what: string): void {
    this.suspended = false;
    if (deadline === this.deadline) return;
    this.scope?.cancel();
    this.scope = null;
    this.deadline = deadline;
    this.fired = false;
    if (deadline !== null) this.start(deadline, what);
  }

  private start(deadline: string, what: string): void {
    const scope = new CancellationScope();
    this.scope = scope;
    const run = async () => {
      await sleep(Math.max(1, millisecondsUntil(deadline)), { summary: `${what} at ${deadline}` });
      this.fired = true;
    };
    void scope.run(run).catch((error: unknown) => {
      if (!isCancellation(error)) throw error;
    });
  }
}

/**
 * Waits until `isTrue` holds or the deadline (RFC 3339; null: none) has passed. Returns whether `isTrue` holds. `what`
 * describes what happens at the deadline, and names the timer in the Temporal UI.
 */
export async function waitUntil(isTrue: () => boolean, deadline: string | null, what: string): Promise<boolean> {
  if (deadline === null) {
    await condition(isTrue);
    return true;
  }
  if (isTrue()) return true;
  const milliseconds = millisecondsUntil(deadline);
  return milliseconds === 0 ? false : condition(isTrue, milliseconds, { summary: `${what} at ${deadline}` });
}
