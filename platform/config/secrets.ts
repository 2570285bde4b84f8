// Where a process's sealing and hash keys come from: its environment, a file, or a vault.
import { readFileSync, statSync } from 'node:fs';
import { z } from 'zod';
import { issueMessage } from '../../domain/issue-messages.js';
import type { KeySource } from '../../store/sealing/open-keys.js';
import { KEY_PURPOSES, type KeyHolder, type KeyPurpose, keysInMemory, PURPOSES_OF } from '../../store/sealing/keys.js';
import type { TransitConfig } from '../../store/sealing/transit.js';
import { heldKeysSchema, type Holding, holdingProblems } from './held-keys.js';
import { productionProblems } from './production.js';

const readableFile = z.string().refine((path) => readText(path) !== undefined, 'must name a readable file');

const vault = z
  .object({
    GATEWAY_VAULT_URL: z
      .url({ protocol: /^https?$/, error: 'must be an http or https address' })
      .transform((url) => url.replace(/\/+$/, '')),
    GATEWAY_VAULT_KEY: z
      .string()
      .regex(/^[A-Za-z0-9_.-]{1,180}$/, 'must be what the names of the Transit keys begin with'),
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
  .transform((settings): TransitConfig => ({
    url: settings.GATEWAY_VAULT_URL,
    mount: settings.GATEWAY_VAULT_TRANSIT_MOUNT,
    key: settings.GATEWAY_VAULT_KEY,
    namespace: settings.GATEWAY_VAULT_NAMESPACE,
    ca: settings.GATEWAY_VAULT_CA_FILE === undefined ? undefined : readText(settings.GATEWAY_VAULT_CA_FILE),
    // Read for every call: an agent renews the file.
    token: () => settings.GATEWAY_VAULT_TOKEN ?? readText(settings.GATEWAY_VAULT_TOKEN_FILE!)?.trim() ?? '',
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
  .pipe(heldKeysSchema);

/** Where keys come from, by GATEWAY_KEY_PROVIDER. */
export const SOURCES = { environment: heldKeysSchema, file: keyFile, vault } as const;

type Environment = Readonly<Record<string, unknown>>;

/**
 * `GATEWAY_KEY_PROVIDER` = `environment` (the default), `file` or `vault`. Held keys: `GATEWAY_SEALING_KEYS` =
 * `k2:<base64>,k1:<base64>` (first is current) or `k2.events:<base64>,…`, `GATEWAY_HASH_KEY` = base64 of 32 bytes.
 * Development keys begin with `dev:`, which production refuses.
 */
function secretsOf(holdingOf: (environment: Environment) => Holding) {
  return z
    .looseObject({ GATEWAY_KEY_PROVIDER: z.enum(['environment', 'file', 'vault']).default('environment') })
    .transform((environment, context): { keys: KeySource } => {
      const holding = holdingOf(environment);
      const parsed = sourceOf(environment, holding);
      if (parsed.kind !== 'problems') return { keys: parsed };
      for (const { path, message } of parsed.problems) context.addIssue({ code: 'custom', path, message });
      return z.NEVER;
    });
}

type Problem = { readonly path: PropertyKey[]; readonly message: string };

function sourceOf(
  environment: Environment & { readonly GATEWAY_KEY_PROVIDER: keyof typeof SOURCES },
  holding: Holding,
): KeySource | { readonly kind: 'problems'; readonly problems: readonly Problem[] } {
  if (environment.GATEWAY_KEY_PROVIDER === 'vault') {
    const parsed = vault.safeParse(environment, { error: issueMessage });
    if (!parsed.success) return { kind: 'problems', problems: parsed.error.issues };
    return { kind: 'vault', transit: parsed.data, purposes: holding.purposes };
  }
  const parsed = SOURCES[environment.GATEWAY_KEY_PROVIDER].safeParse(environment, { error: issueMessage });
  if (!parsed.success) return { kind: 'problems', problems: parsed.error.issues };
  const wrong = holdingProblems(parsed.data, holding);
  if (wrong.length > 0)
    return { kind: 'problems', problems: wrong.map(({ variable, message }) => ({ path: [variable], message })) };
  const { GATEWAY_SEALING_KEYS: keys = [], GATEWAY_HASH_KEY: hashKey = null } = parsed.data;
  return { kind: 'held', keys: keysInMemory(keys, hashKey) };
}

/** The keys of one kind of process. In production it starts with these and no others. */
export function secretsSchema(holder: KeyHolder | ((environment: Environment) => readonly KeyPurpose[])) {
  return secretsOf((environment) => ({
    purposes: typeof holder === 'string' ? PURPOSES_OF[holder] : holder(environment),
    isExcessRefused: environment['GATEWAY_ENVIRONMENT'] === 'production',
  }));
}

/** Those of the `gateway` command: all. */
export const commandSecretsSchema = secretsOf(() => ({ purposes: KEY_PURPOSES, isExcessRefused: false }));

/** All keys of the command's file, or of the environment if it names any provider. */
export function wholeKeysSchema(provider: string | undefined) {
  return (provider === 'file' ? keyFile : heldKeysSchema).transform(
    ({ GATEWAY_SEALING_KEYS: held, GATEWAY_HASH_KEY: hashKey }, context) => {
      if (held?.every(({ purpose }) => purpose === undefined) === true && hashKey !== undefined)
        return { whole: held, hashKey };
      const [path, message] =
        held === undefined
          ? ['GATEWAY_SEALING_KEYS', 'is required']
          : hashKey === undefined
            ? ['GATEWAY_HASH_KEY', 'is required']
            : ['GATEWAY_SEALING_KEYS', 'must be whole keys: k1:<base64>'];
      context.addIssue({ code: 'custom', path: [path], message });
      return z.NEVER;
    },
  );
}

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
