// Moments given on the command line.
import { readInstant as instantOf } from '../../domain/instant.js';
import { badInput } from '../problem.js';

/** RFC 3339 in UTC. Throws a CommandProblem that names `field`. */
export function readInstant(field: string, text: string): string {
  const instant = instantOf(text);
  if (instant === null) throw badInput(field, 'must be an instant such as 2026-11-23T00:00:00Z');
  return instant.toISOString();
}
