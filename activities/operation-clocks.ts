// The clocks of the sandbox's operations as this process knows them: each step brings its workflow's, and the latest
// counts. In production there are none, whatever a step brings.
import { laterClock, type OperationClock, timeBy } from '../domain/operation-clock.js';

/** More operations than a sandbox has on clocks of their own; the one that was heard of first is forgotten. */
const MOST_CLOCKS = 10_000;

export class OperationClocks {
  private readonly clocks = new Map<string, OperationClock>();

  constructor(private readonly environment: 'sandbox' | 'production') {}

  /** Takes the clock that came with a step. */
  note(operationId: string, clock: OperationClock | null | undefined): void {
    if (this.environment === 'production' || clock == null) return;
    const later = laterClock(clock, this.clocks.get(operationId));
    if (later === null) return;
    this.clocks.delete(operationId);
    this.clocks.set(operationId, later);
    const [first] = this.clocks.keys();
    if (this.clocks.size > MOST_CLOCKS && first !== undefined) this.clocks.delete(first);
  }

  /** Whether the operation's time is not real time, so that no provider's time can be compared with it. */
  has(operationId: string): boolean {
    return this.clocks.has(operationId);
  }

  /** The operation's time at a real moment, in milliseconds since 1970. */
  timeOf(operationId: string, realMs: number): number {
    return timeBy(this.clocks.get(operationId), realMs);
  }
}
