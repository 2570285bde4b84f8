// The moments in providers' answers: RFC 3339 with any offset, read as UTC with milliseconds.
import { z } from 'zod';
import { readInstant } from '../../domain/instant.js';

export const instant = z.string().transform((text, context) => {
  const at = readInstant(text);
  if (at !== null) return at.toISOString();
  context.addIssue({ code: 'custom', message: 'must be RFC 3339' });
  return z.NEVER;
});
