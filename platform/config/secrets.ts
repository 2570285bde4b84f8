// Where a process's sealing and hash keys come from: its environment, a file, or a vault.
import { readFileSync, statSync } from 'node:fs';
import { z } from 'zod';
import { inPlainWords } from '../../domain/issue-words.js';
import type { KeySource } from '../../store/sealing/open-keys.js';
import { keysInMemory } from '../../store/sealing/sealer.js';
import { DEVELOPMENT_KEY_MARK, productionProblems } from './production.js';

const unmarked = (text: string) =>
  text.startsWith(DEVELOPMENT_KEY_MARK) ? text.slice(DEVELOPMENT_KEY_MARK.length) : text;

/** 32 bytes in base64, with or without the mark of a development key. */
export const keyOf32Bytes = z.string().transform((text, context) => {
  const bytes = Buffer.from(unmarked(text.trim()), 'base64');
  if (bytes.length !== 32) context.addIssue({ code: 'custom', message: 'must be 32 bytes in base64' });
  return bytes;
});

const sealingKeys = z
  .string()
  .transform((text) =>
    text
      .split(',')
      .map((item) => unmarked(item.trim()))
      .map((item) => ({ id: item.slice(0, item.indexOf(':')), key: item.slice(item.indexOf(':') + 1) })),
  )
  .pipe(
    z
      .array(z.object({ id: z.string().regex(/^[a-z0-9]{1,32}$/, 'must look like k1:<base64>'), key: keyOf32Bytes }))
      .min(1),
  );

export const heldKeysSchema = z.object({ GATEWAY_SEALING_KEYS: sealingKeys, GATEWAY_HASH_KEY: keyOf32Bytes });
const heldKeys = heldKeysSchema.transform(({ GATEWAY_SEALING_KEYS, GATEWAY_HASH_KEY }): KeySource => ({
  kind: 'held',
  keys: keysInMemory(GATEWAY_SEALING_KEYS, GATEWAY_HASH_KEY),
}));

const readableFile = z.string().refine((path) => readText(path) !== undefined, 'must name a readable file');

const vault = z
  .object({
    GATEWAY_VAULT_URL: z
      .url({ protocol: /^https?$/, error: 'must be an http or https address' })
      .transform((url) => url.replace(/\/+$/, '')),
    GATEWAY_VAULT_KEY: z.string().regex(/^[A-Za-z0-9_.-]{1,200}$/, 'must be the name of a Transit key'),
    GATEWAY_VAULT_TRANSIT_MOUNT: z
      .string()
      .regex(/^[A-Za-z0-9_/-]{1,200}$/, 'must be the path of a mount')
      .default('transit'),
    GATEWAY_VAULT_NAMESPACE: z.string().max(200).optional(),
    GATEWAY_VAULT_TOKEN: z.string().min(1).optional(),
    GATEWAY_VAULT_TOKEN_FILE: readableFile.optional(),
    GATEWAY_VAULT_CA_FILE: readableFile.optional(),
  })
  .refine(
    ({ GATEWAY_VAULT_TOKEN: token, GATEWAY_VAULT_TOKEN_FILE: file }) => (token === undefined) !== (file === undefined),
    {
      path: ['GATEWAY_VAULT_TOKEN'],
      error: 'or GATEWAY_VAULT_TOKEN_FILE: one of the two',
    },
  )
  .transform((settings): KeySource => ({
    kind: 'vault',
    transit: {
      url: settings.GATEWAY_VAULT_URL,
      mount: settings.GATEWAY_VAULT_TRANSIT_MOUNT,
      key: settings.GATEWAY_VAULT_KEY,
      namespace: settings.GATEWAY_VAULT_NAMESPACE,
      ca: settings.GATEWAY_VAULT_CA_FILE === undefined ? undefined : readText(settings.GATEWAY_VAULT_CA_FILE),
      // Read for every call: an agent renews the file.
      token: () => settings.GATEWAY_VAULT_TOKEN ?? readText(settings.GATEWAY_VAULT_TOKEN_FILE!)?.trim() ?? '',
    },
  }));

/**
 * A file of lines such as `GATEWAY_SEALING_KEYS=…`, readable for its owner only. Production refuses the same values as
 * in variables.
 */
const keyFile = z
  .looseObject({ GATEWAY_KEYS_FILE: readableFile.refine(isPrivate, 'must be readable by its owner only (mode 0600)') })
  .transform(({ GATEWAY_KEYS_FILE, GATEWAY_ENVIRONMENT }, context) => {
    const lines = (readText(GATEWAY_KEYS_FILE) ?? '').split('\n').filter((line) => line.includes('='));
    const variables = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf('=')).trim(), line.slice(line.indexOf('=') + 1).trim()]),
    );
    const environment = typeof GATEWAY_ENVIRONMENT === 'string' ? GATEWAY_ENVIRONMENT : undefined;
    for (const { variable, message } of productionProblems({ ...variables, GATEWAY_ENVIRONMENT: environment }, 'other'))
      context.addIssue({ code: 'custom', path: [variable], message });
    return variables;
  })
  .pipe(heldKeys);

/** Where keys come from, by GATEWAY_KEY_PROVIDER. */
export const SOURCES = { environment: heldKeys, file: keyFile, vault } as const;

/**
 * `GATEWAY_KEY_PROVIDER` = `environment` (the default), `file` or `vault`. Held keys: `GATEWAY_SEALING_KEYS` =
 * `k2:<base64>,k1:<base64>` (first is current), `GATEWAY_HASH_KEY` = base64 of 32 bytes. Development keys begin with
 * `dev:`, which production refuses.
 */
export const secretsSchema = z
  .looseObject({ GATEWAY_KEY_PROVIDER: z.enum(['environment', 'file', 'vault']).default('environment') })
  .transform((environment, context): { keys: KeySource } => {
    const parsed = SOURCES[environment.GATEWAY_KEY_PROVIDER].safeParse(environment, { error: inPlainWords });
    if (parsed.success) return { keys: parsed.data };
    for (const { path, message } of parsed.error.issues) context.addIssue({ code: 'custom', path, message });
    return z.NEVER;
  });

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function isPrivate(path: string): boolean {
  return readText(path) !== undefined && (statSync(path).mode & 0o077) === 0;
}
