// The embedded stack's secrets, made once and kept in var/secrets.json. Without them, sealed data is lost.
import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { DEVELOPMENT_SECRET_MARK } from '../../platform/config/production.js';
import { Failure } from '../bootstrap/failure.mjs';
import { readJsonFile, writePrivateJson } from './files.js';

const provider = z.object({
  client_id: z.string(),
  client_secret: z.string(),
  pix_key: z.string(),
  callback_secret: z.string(),
});
const schema = z.object({
  sealing_keys: z.string(),
  hash_key: z.string(),
  audit_key: z.string(),
  postgres_superuser_password: z.string(),
  postgres_password: z.string(),
  providers: z.object({ simulator: provider, a: provider, b: provider }),
});
export type StackSecrets = z.output<typeof schema>;

/** Reads the secrets, or makes them for a new stack. Throws a {@link Failure} when data exists without its secrets. */
export function ensureSecrets(file: string, postgresHome: string): StackSecrets {
  const kept = readJsonFile(file);
  if (kept === undefined) {
    if (hasData(postgresHome))
      throw new Failure(
        `${file} is missing, but ${postgresHome} holds data sealed with its keys. ` +
          'Put it back, or start with empty data: "npm start -- --reset".',
      );
    const made = makeSecrets();
    writePrivateJson(file, made);
    return made;
  }
  const parsed = schema.safeParse(kept);
  if (parsed.success) return parsed.data;
  const where = parsed.error.issues.map((issue) => issue.path.join('.')).join(', ');
  throw new Failure(`${file} lacks ${where}. Restore it, or start with empty data: "npm start -- --reset".`);
}

function hasData(postgresHome: string): boolean {
  return existsSync(join(postgresHome, 'data')) || existsSync(join(postgresHome, 'elsewhere.json'));
}

function makeSecrets(): StackSecrets {
  const key = () => randomBytes(32).toString('base64');
  const password = () => `${DEVELOPMENT_SECRET_MARK}${randomBytes(24).toString('hex')}`;
  const makeProvider = (name: string) => ({
    client_id: `gateway-${name}`,
    client_secret: password(),
    pix_key: randomUUID(),
    callback_secret: password(),
  });
  return {
    sealing_keys: `k1:${key()}`,
    hash_key: key(),
    audit_key: key(),
    postgres_superuser_password: password(),
    postgres_password: password(),
    providers: { simulator: makeProvider('simulator'), a: makeProvider('a'), b: makeProvider('b') },
  };
}
