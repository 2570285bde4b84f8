// A client of HashiCorp Vault's Transit engine, or of another server with its HTTP API. It wraps data keys with a
// master key that never leaves the engine. Every call is limited in time and size; any answer that is not documented is
// a TransitError.
import { Agent, request } from 'undici';
import { z } from 'zod';
import type { KeyPurpose } from './keys.js';

export interface TransitConfig {
  /** `https://vault.example:8200`, without a slash at the end. */
  readonly url: string;
  /** Where the engine is mounted: `transit`. */
  readonly mount: string;
  /** The prefix of the master keys' names, `<key>-<purpose>`, so that a policy can give a process some of them. */
  readonly key: string;
  /** Called for each request: an agent may renew the token in its file. */
  readonly token: () => string;
  readonly namespace?: string | undefined;
  /** PEM of the authority that signed the vault's certificate. */
  readonly ca?: string | undefined;
}

/** The vault cannot be reached, refuses, or gives an unexpected answer. The message never contains the request. */
export class TransitError extends Error {
  override readonly name = 'TransitError';
  constructor(
    readonly kind: 'unreachable' | 'denied' | 'unavailable' | 'refused' | 'unreadable',
    readonly status: number | null,
  ) {
    super(`the vault: ${kind}${status === null ? '' : ` (${status})`}`);
  }
}

export interface Transit {
  /** Wraps a key of a purpose. */
  wrap(purpose: KeyPurpose, key: Buffer): Promise<string>;
  /** A new data key of 256 bits, made and wrapped by the vault. */
  newDataKey(purpose: KeyPurpose): Promise<string>;
  unwrap(purpose: KeyPurpose, wrapped: readonly string[]): Promise<Buffer[]>;
  /** The same keys under the newest version of the master key. */
  rewrap(purpose: KeyPurpose, wrapped: readonly string[]): Promise<string[]>;
  close(): Promise<void>;
}

const TIMEOUT_MS = 3_000;
const ANSWER_MAX_BYTES = 256 * 1024;
const KEY_BYTES = 32;

const keyText = z.string().transform((text, context) => {
  const key = Buffer.from(text, 'base64');
  if (key.length !== KEY_BYTES) context.addIssue({ code: 'custom', message: 'must be 32 bytes' });
  return key;
});
const ciphertext = z.string().regex(/^vault:v\d+:[A-Za-z0-9+/=]+$/);
const answers = {
  wrapped: z.object({ data: z.object({ ciphertext }) }),
  unwrapped: z.object({ data: z.object({ batch_results: z.array(z.object({ plaintext: keyText })) }) }),
  rewrapped: z.object({ data: z.object({ batch_results: z.array(z.object({ ciphertext })) }) }),
};

/** A client of the master keys of all purposes. */
export function createTransit(config: TransitConfig): Transit {
  const agent = new Agent({
    connections: 4,
    maxResponseSize: ANSWER_MAX_BYTES,
    connect: { timeout: TIMEOUT_MS, ...(config.ca === undefined ? {} : { ca: config.ca }) },
  });
  const call = <Schema extends z.ZodType>(operation: string, purpose: KeyPurpose, body: object, schema: Schema) =>
    callTransit(config, agent, `${operation}/${masterKeyOf(config.key, purpose)}`, body, schema);
  const batch = (wrapped: readonly string[]) => ({ batch_input: wrapped.map((text) => ({ ciphertext: text })) });
  return {
    async wrap(purpose, key) {
      const { data } = await call('encrypt', purpose, { plaintext: key.toString('base64') }, answers.wrapped);
      return data.ciphertext;
    },
    async newDataKey(purpose) {
      const { data } = await call('datakey/wrapped', purpose, { bits: KEY_BYTES * 8 }, answers.wrapped);
      return data.ciphertext;
    },
    async unwrap(purpose, wrapped) {
      const { data } = await call('decrypt', purpose, batch(wrapped), answers.unwrapped);
      return inFull(wrapped, data.batch_results).map(({ plaintext }) => plaintext);
    },
    async rewrap(purpose, wrapped) {
      const { data } = await call('rewrap', purpose, batch(wrapped), answers.rewrapped);
      return inFull(wrapped, data.batch_results).map(({ ciphertext: fresh }) => fresh);
    },
    close: () => agent.destroy(),
  };
}

/** The name of a purpose's master key: `gateway-webhook-secrets`. */
function masterKeyOf(key: string, purpose: KeyPurpose): string {
  return encodeURIComponent(`${key}-${purpose.replaceAll('_', '-')}`);
}

function inFull<Result>(asked: readonly string[], results: readonly Result[]): readonly Result[] {
  if (results.length !== asked.length) throw new TransitError('unreadable', 200);
  return results;
}

async function callTransit<Schema extends z.ZodType>(
  config: TransitConfig,
  agent: Agent,
  path: string,
  body: object,
  schema: Schema,
): Promise<z.output<Schema>> {
  const { status, text } = await post(config, agent, path, body);
  if (status !== 200)
    throw new TransitError(
      status === 401 || status === 403 ? 'denied' : status >= 500 || status === 429 ? 'unavailable' : 'refused',
      status,
    );
  const parsed = schema.safeParse(jsonOf(text));
  if (!parsed.success) throw new TransitError('unreadable', status);
  return parsed.data;
}

async function post(
  { url, mount, token, namespace }: TransitConfig,
  agent: Agent,
  path: string,
  body: object,
): Promise<{ status: number; text: string }> {
  try {
    const response = await request(`${url}/v1/${mount}/${path}`, {
      method: 'POST',
      dispatcher: agent,
      headers: {
        'content-type': 'application/json',
        'x-vault-request': 'true',
        'x-vault-token': token(),
        ...(namespace === undefined ? {} : { 'x-vault-namespace': namespace }),
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return { status: response.statusCode, text: await response.body.text() };
  } catch {
    throw new TransitError('unreachable', null);
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
