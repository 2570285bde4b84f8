// Variables that name a file: the value is what is in it, read once at start.
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

/** A file of bytes, such as PKCS#12, as base64. */
export const base64File = z.string().transform((path, context) => {
  try {
    return readFileSync(path).toString('base64');
  } catch {
    context.addIssue({ code: 'custom', message: 'must name a readable file' });
    return z.NEVER;
  }
});
