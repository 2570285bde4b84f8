// What all calls read from an answer alike.
import type { HttpAnswer } from './client.js';
import { readRefusal } from './refusals.js';

/** The reason code of an inconclusive answer. */
export function inconclusive(answer: HttpAnswer): string {
  return answer.kind === 'answered' ? `http_${answer.status}` : answer.reason;
}

/** Whether the provider itself says that there is no such thing: a 404 in one of its own words. */
export function isNotFound(words: readonly string[], answer: HttpAnswer): boolean {
  if (answer.kind !== 'answered' || answer.status !== 404) return false;
  const said = readRefusal(answer.body);
  return said !== null && words.includes(said.word);
}
