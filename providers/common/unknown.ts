// Answers that decide nothing: those that people need not know of, and those that they must, by the field at fault.
import type { z } from 'zod';
import type { Unknown } from '../port.js';

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
