// The workflow's clock and identifiers. Both are deterministic: a replay produces the same times and ids. In the
// sandbox an operation may have a clock of its own: its workflows are told, and wait and act by it.
import { setHandler, uuid4 } from '@temporalio/workflow';
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
export function millisecondsUntil(instant: string): number | null {
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
