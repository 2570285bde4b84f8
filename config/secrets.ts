// Reads the sealing and hash keys of a process from its environment.
import { z } from 'zod';
import { DEVELOPMENT_KEY_MARK } from './production.js';
import { type KeyProvider, keysInMemory } from '../store/sealing.js';

const unmarked = (text: string) => (text.startsWith(DEVELOPMENT_KEY_MARK) ? text.slice(DEVELOPMENT_KEY_MARK.length) : text);

const key = z.string().transform((text, context) => {
  const bytes = Buffer.from(unmarked(text), 'base64');
  if (bytes.length !== 32) context.addIssue({ code: 'custom', message: 'must be 32 bytes in base64' });
  return bytes;
});

const sealingKeys = z
  .string()
  .transform((text) => text.split(',').map((item) => unmarked(item.trim())).map((item) => ({ id: item.slice(0, item.indexOf(':')), key: item.slice(item.indexOf(':') + 1) })))
  .pipe(z.array(z.object({ id: z.string().regex(/^[a-z0-9]{1,32}$/, 'must look like k1:<base64>'), key })).min(1));

/**
 * `GATEWAY_SEALING_KEYS` = `k2:<base64>,k1:<base64>` (first is current); `GATEWAY_HASH_KEY` = base64 of 32 bytes. Keys of
 * development carry the mark `dev:` in front, which production refuses.
 */
export const secretsSchema = z
  .object({ GATEWAY_SEALING_KEYS: sealingKeys, GATEWAY_HASH_KEY: key })
  .transform(({ GATEWAY_SEALING_KEYS, GATEWAY_HASH_KEY }): { keys: KeyProvider } => ({ keys: keysInMemory(GATEWAY_SEALING_KEYS, GATEWAY_HASH_KEY) }));
