// The operator's credentials, read from the file that the stack writes after this process has started, and again when
// it changes.
import { readFileSync } from 'node:fs';
import { stat, readFile } from 'node:fs/promises';
import { z } from 'zod';
import { createGatewayClient } from '../../client/index.js';
import type { ClientTls, GatewayClient } from '../../client/index.js';

/** The client certificate's files, when the gateway is behind its TLS edge. */
export const tlsFilesSchema = z.object({
  certificate_file: z.string(),
  key_file: z.string(),
  authorities_file: z.string(),
});
export type TlsFiles = z.output<typeof tlsFilesSchema>;

const sandboxSchema = z.object({
  base_url: z.url(),
  tls: tlsFilesSchema.optional(),
  operation: z.object({ key_id: z.string().min(1), secret: z.string().min(1), webhook_secret: z.string().min(1) }),
});

export interface Connection {
  readonly gateway: GatewayClient;
  /** The secrets that webhooks may be signed with. */
  readonly webhookSecrets: readonly string[];
}

export interface SandboxFile {
  /** The connection, or null while the file is absent or half written. */
  connection(): Promise<Connection | null>;
  close(): Promise<void>;
}

/** Reads lazily and keeps one client per content of the file. */
export function openSandboxFile(path: string): SandboxFile {
  let readAs: string | null = null;
  let current: Connection | null = null;

  async function connection(): Promise<Connection | null> {
    const version = await versionOf(path);
    if (version === null || version === readAs) return current;
    const parsed = sandboxSchema.safeParse(parseJson(await readFile(path, 'utf8').catch(() => '')));
    // Another caller may have read it by now: then its client is the one to keep.
    if (!parsed.success || version === readAs) return current;
    const { base_url: baseUrl, operation, tls } = parsed.data;
    const former = current;
    current = {
      gateway: createGatewayClient({ baseUrl, keyId: operation.key_id, secret: operation.secret, ...readTls(tls) }),
      webhookSecrets: [operation.webhook_secret],
    };
    readAs = version;
    // Requests under way on the former client end on their own; closing waits for them.
    void former?.gateway.close();
    return current;
  }

  return { connection, close: async () => current?.gateway.close() };
}

/** The client's `tls` option from the files that hold it. */
export function readTls(files: TlsFiles | undefined): { tls?: ClientTls } {
  if (files === undefined) return {};
  const [certificate, key, authorities] = [files.certificate_file, files.key_file, files.authorities_file].map((file) =>
    readFileSync(file, 'utf8'),
  ) as [string, string, string];
  return { tls: { certificate, key, authorities } };
}

async function versionOf(path: string): Promise<string | null> {
  try {
    const { mtimeMs, size, ino } = await stat(path);
    return `${mtimeMs} ${size} ${ino}`;
  } catch {
    return null;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
