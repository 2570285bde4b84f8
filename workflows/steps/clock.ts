// The workflow's clock and identifiers. Both are deterministic: a replay produces the same times and ids.
import { uuid4 } from '@temporalio/workflow';
import { ID_PREFIXES, type IdKind } from '../../domain/identifiers.js';

/** Workflow time, RFC 3339 in UTC. */
export function now(): string {
  return new Date().toISOString();
}

/** A new identifier, drawn from the workflow's deterministic randomness. */
export function nextId(kind: IdKind): string {
  return ID_PREFIXES[kind] + uuid4().replaceAll('-', '');
}

/** Milliseconds from now until an instant (RFC 3339); zero once it has passed. */
export function millisecondsUntil(instant: string): number {
  return Math.max(0, Date.parse(instant) - Date.now());
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
