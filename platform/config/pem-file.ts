// A variable that names a PEM file: its value is the file's text, read once at start.
import { readFileSync } from 'node:fs';
import { z } from 'zod';

export const pemFile = z.string().transform((path, context) => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    context.addIssue({ code: 'custom', message: 'must name a readable PEM file' });
    return z.NEVER;
  }
});
