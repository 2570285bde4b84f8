// Moments given on the command line.
import { badInput } from '../problem.js';

/** RFC 3339 in UTC. Throws a CommandProblem that names `field`. */
export function readInstant(field: string, text: string): string {
  const ms = /^\d{4}-\d\d-\d\dT.+(Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : NaN;
  if (Number.isNaN(ms)) throw badInput(field, 'must be an instant such as 2026-11-23T00:00:00Z');
  return new Date(ms).toISOString();
}
