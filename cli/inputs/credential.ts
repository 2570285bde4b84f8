// The key that signs and the URL of the API: from options, or from the sandbox operation that `npm start` created.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../platform/config/project-root.js';
import { badInput } from '../problem.js';
import { readKeyId } from './identifiers.js';

export interface Credential {
  readonly keyId: string;
  readonly secret: string;
  /** Ends in `/v1`. */
  readonly baseUrl: string;
  /** The sandbox operation's; null if the key was given by options. */
  readonly webhookSecret: string | null;
}

const DEFAULT_BASE_URL = 'http://127.0.0.1:7800/v1';

/** Reads both options, or the sandbox file if neither is given. Throws a CommandProblem that names what is missing. */
export function readCredential(given: { keyId?: string; secret?: string; baseUrl?: string }): Credential {
  const { keyId, secret } = given;
  if ((keyId === undefined) !== (secret === undefined))
    throw badInput(keyId === undefined ? '--key-id' : '--secret', 'is needed together with the other one');
  const needsSandbox = keyId === undefined || given.baseUrl === undefined;
  const sandbox = needsSandbox ? readSandboxFile(join(projectRoot(), 'var', 'sandbox.json')) : null;
  const baseUrl = readBaseUrl(given.baseUrl ?? sandbox?.base_url ?? DEFAULT_BASE_URL);
  if (keyId !== undefined && secret !== undefined) {
    readKeyId('--key-id', keyId);
    if (secret === '') throw badInput('--secret', 'must not be empty');
    return { keyId, secret, baseUrl, webhookSecret: null };
  }
  if (sandbox === null)
    throw badInput('--key-id', 'is needed with --secret, because there is no var/sandbox.json (npm start writes it)');
  return {
    keyId: sandbox.operation.key_id,
    secret: sandbox.operation.secret,
    baseUrl,
    webhookSecret: sandbox.operation.webhook_secret ?? null,
  };
}

interface SandboxFile {
  readonly base_url: string;
  readonly operation: { readonly key_id: string; readonly secret: string; readonly webhook_secret?: string };
}

/** `null` if there is no file. A damaged file is a problem, not a silent default. */
function readSandboxFile(path: string): SandboxFile | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return null;
  }
  const parsed = parseJson(text);
  if (!isSandboxFile(parsed))
    throw badInput(
      'var/sandbox.json',
      'is damaged; npm start writes it anew, or use --key-id, --secret and --base-url',
    );
  return parsed;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isSandboxFile(value: unknown): value is SandboxFile {
  const file = value as { base_url?: unknown; operation?: { key_id?: unknown; secret?: unknown } } | null;
  return (
    typeof file?.base_url === 'string' &&
    typeof file.operation?.key_id === 'string' &&
    typeof file.operation.secret === 'string'
  );
}

function readBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (
    url === null ||
    !['http:', 'https:'].includes(url.protocol) ||
    !/\/v1\/?$/.test(url.pathname) ||
    url.search !== ''
  ) {
    throw badInput('--base-url', 'must be an http or https URL that ends in /v1');
  }
  return text.replace(/\/$/, '');
}
