// The time of workflows: the clock, deterministic identifiers, and timers. A replay produces the same times and ids. In
// the sandbox an operation may have a clock of its own: its workflows are told, and wait and act by it. Every timer
// names in the Temporal UI what happens when it fires.
import { CancellationScope, condition, isCancellation, setHandler, sleep, uuid4 } from '@temporalio/workflow';
import { clockSet } from '../../contract/temporal/payment.js';
import { ID_PREFIXES, type IdKind } from '../../domain/identifiers.js';
import { laterClock, type OperationClock, timeBy } from '../../domain/operation-clock.js';

/**
 * All workflows of a worker share their modules (`preloadModules`), and each has global variables of its own: the clock
 * of its operation is one of them.
 */
const own = globalThis as { gatewayOperationClock?: OperationClock | null };

/** The clock that this workflow has been told; `null` is real time. */
export function operationClock(): OperationClock | null {
  return own.gatewayOperationClock ?? null;
}

/** Goes by that clock from now on, unless it has a later state of it. */
export function goBy(told: OperationClock | null | undefined): void {
  own.gatewayOperationClock = laterClock(told, operationClock());
}

/** A clock that is only stopped, or runs on, moves by no more. */
const MOVED_MS = 1_000;

/** Takes the clock whenever it is set. `onMoved` runs when that moved the operation's time. */
export function followClock(onMoved: () => void = () => {}): void {
  setHandler(clockSet, (told) => {
    const beforeMs = nowMs();
    goBy(told);
    if (nowMs() - beforeMs >= MOVED_MS) onMoved();
  });
}

/** Changes whenever the clock is set. */
export function clockRevision(): number {
  return operationClock()?.revision ?? 0;
}

function nowMs(): number {
  return timeBy(operationClock(), Date.now());
}

/** The operation's time, RFC 3339 in UTC. */
export function now(): string {
  return new Date(nowMs()).toISOString();
}

/** A new identifier, drawn from the workflow's deterministic randomness. */
export function nextId(kind: IdKind): string {
  return ID_PREFIXES[kind] + uuid4().replaceAll('-', '');
}

/** Whether the operation's time has reached an instant (RFC 3339). */
export function isReached(instant: string): boolean {
  return Date.parse(instant) <= nowMs();
}

/** Real milliseconds until the operation's time reaches an instant (RFC 3339); `null` while its clock stands still. */
function millisecondsUntil(instant: string): number | null {
  if (isReached(instant)) return 0;
  return operationClock()?.frozenAt == null ? Date.parse(instant) - nowMs() : null;
}

/** The earlier of two instants of workflow time; `null` is none. */
export function earliest(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return a < b ? a : b;
}

/** The instant `seconds` after another one, RFC 3339. */
export function secondsAfter(instant: string, seconds: number): string {
  return new Date(Date.parse(instant) + seconds * 1000).toISOString();
}

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
