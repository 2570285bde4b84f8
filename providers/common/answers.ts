// Reading a provider's answers: those that decide nothing, and drift, which its documentation does not describe. That
// is never guessed at: it leaves the outcome inconclusive, or is ignored, and a metric counts it, so that a person
// reads the news.
import { z } from 'zod';
import type { Unknown } from '../port.js';
import { readInstant } from '../../domain/instant.js';

export const DRIFT = {
  unreadable_answer: 'an answer without a field that it needs, or with one of another form',
  unreadable_callback: 'a verified callback that cannot be read',
  unknown_state: 'a state that is in no table',
  unknown_error: 'a refusal in words that are in no list',
  unknown_event: 'a callback about an event that is in no list',
  unknown_field: 'a field that the documentation does not have',
} as const;
export type Drift = keyof typeof DRIFT;

/** Called for each. It must not throw. */
export type NoteDrift = (what: Drift) => void;

const FIELD_MAX_LENGTH = 80;

/** There is nothing but to ask again. */
export function unknown(reason: string): Unknown {
  return { kind: 'unknown', reason };
}

/** An answer arrived and cannot be used because of this field. */
export function unusable(reason: string, field: string): Unknown {
  return { kind: 'unknown', reason, doubt: { kind: 'unreadable', field } };
}

/** An answer that the schema refuses. `at`: where the schema's part of it begins. */
export function unreadable(error: z.ZodError, at = '', reason = 'unreadable_answer'): Unknown {
  return unusable(reason, fieldOf(error, at));
}

/** The path of the first invalid field, as the schema names it. Nothing of what is in it. */
export function fieldOf(error: z.ZodError, at = ''): string {
  const path = [at, ...(error.issues[0]?.path ?? [])].filter((part) => part !== '').join('.');
  return path.slice(0, FIELD_MAX_LENGTH) || 'body';
}

/** `null` if the content does not matter here. In brackets: a list of such. */
export interface KnownShape {
  readonly [field: string]: KnownShape | readonly [KnownShape] | null;
}

/** By their names, separated by spaces; what is inside them does not matter. */
export function fields(names: string): KnownShape {
  return Object.fromEntries(names.split(/\s+/).map((name) => [name, null]));
}

/** Whether a body has a field that is not documented. */
export function hasUnknownField(known: KnownShape, body: unknown): boolean {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return false;
  return Object.entries(body).some(([name, value]) => {
    if (!Object.hasOwn(known, name)) return true;
    const inside = known[name];
    if (inside === null || inside === undefined) return false;
    if (!isList(inside)) return hasUnknownField(inside, value);
    return Array.isArray(value) && value.some((item) => hasUnknownField(inside[0], item));
  });
}

function isList(known: KnownShape | readonly [KnownShape]): known is readonly [KnownShape] {
  return Array.isArray(known);
}

export const instant = z.string().transform((text, context) => {
  const at = readInstant(text);
  if (at !== null) return at.toISOString();
  context.addIssue({ code: 'custom', message: 'must be RFC 3339' });
  return z.NEVER;
});
