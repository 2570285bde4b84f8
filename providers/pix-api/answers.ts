// What all calls read from an answer in the same way.
import type { HttpAnswer } from '../common/http.js';
import type { Dialect } from './dialect.js';
import { readRefusal } from './refusals.js';

/** Whether the provider itself says "not found": with a status for that, and one of its own errors. */
export function isNotFound(
  { notFoundStatuses }: Pick<Dialect, 'notFoundStatuses'>,
  errors: readonly string[],
  answer: HttpAnswer,
): boolean {
  if (answer.kind !== 'answered' || !notFoundStatuses.includes(answer.status)) return false;
  const said = readRefusal(answer.body);
  return said !== null && errors.includes(said.error);
}
