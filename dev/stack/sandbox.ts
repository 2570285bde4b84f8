// The demo operation: made once, kept in var/sandbox.json, which is what a developer (or a test from outside) works with.
import pg from 'pg';
import { z } from 'zod';
import { Failure } from '../bootstrap/failure.mjs';
import { say, step } from '../bootstrap/progress.mjs';
import { readJsonFile, writePrivateJson } from './files.js';
import type { CommandResult } from './gateway-command.js';
import { tlsFilesSchema } from '../../demo-operator/sandbox-file.js';

const createdSchema = z.object({
  operation_id: z.string(), key_id: z.string(), secret: z.string(), scopes: z.array(z.string()), webhook_secret: z.string(),
});
const sandboxSchema = z.object({
  base_url: z.string(),
  panel_url: z.string(),
  temporal_ui_url: z.string(),
  tls: tlsFilesSchema.optional(),
  operation: createdSchema.extend({ webhook_url: z.string() }),
});
/** The content of var/sandbox.json. */
export type Sandbox = z.output<typeof sandboxSchema>;
type Operation = Sandbox['operation'];
type Gateway = (args: string[]) => Promise<CommandResult>;

const CONNECT_TIMEOUT_MS = 10_000;

/** Where the sandbox is, and the file that says so. */
export interface SandboxPlaces extends Omit<Sandbox, 'operation'> {
  readonly file: string;
  readonly webhookUrl: string;
}

/** Keeps the demo operation of an earlier start if the database still has it, makes one otherwise, and writes the file. */
export async function ensureSandbox({ file, webhookUrl, ...places }: SandboxPlaces, databaseUrl: string, gateway: Gateway): Promise<Sandbox> {
  const kept = await keptOperation(file, databaseUrl);
  const operation = kept === undefined ? await createOperation(gateway, webhookUrl) : await withWebhookUrl(kept, gateway, webhookUrl);
  const sandbox: Sandbox = { ...places, operation };
  writePrivateJson(file, sandbox);
  return sandbox;
}

async function keptOperation(file: string, databaseUrl: string): Promise<Operation | undefined> {
  const parsed = sandboxSchema.safeParse(readJsonFile(file));
  if (!parsed.success) return undefined;
  const { operation } = parsed.data;
  if (await isKnown(databaseUrl, operation)) return operation;
  say(`  ! The database has no operation ${operation.operation_id} with its key any more; making a new one.`);
  return undefined;
}

async function isKnown(databaseUrl: string, { operation_id, key_id }: Operation): Promise<boolean> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  await client.connect();
  try {
    const found = await client.query('SELECT 1 FROM api_key WHERE operation_id = $1 AND key_id = $2 AND revoked_at IS NULL', [operation_id, key_id]);
    return found.rowCount === 1;
  } finally {
    await client.end();
  }
}

async function createOperation(gateway: Gateway, webhookUrl: string): Promise<Operation> {
  const args = ['operation', 'create', '--name', 'Demo operator', '--environment', 'sandbox', '--provider', 'simulator', '--webhook-url', webhookUrl];
  const { code, stdout, stderr } = await step('making the demo operation', () => gateway(args));
  const created = createdSchema.safeParse(parseJson(stdout));
  if (code !== 0 || !created.success) throw new Failure(`The demo operation could not be made ("gateway operation create" ended with code ${code}): ${stderr.trim() || 'unexpected answer'}`);
  const { operation_id, key_id, secret, scopes, webhook_secret } = created.data;
  return { operation_id, key_id, secret, scopes, webhook_url: webhookUrl, webhook_secret };
}

/** The ports may have moved since the last start. */
async function withWebhookUrl(operation: Operation, gateway: Gateway, webhookUrl: string): Promise<Operation> {
  if (operation.webhook_url === webhookUrl) return operation;
  const { code, stderr } = await gateway(['operation', 'set-webhook', '--operation', operation.operation_id, webhookUrl]);
  if (code !== 0) throw new Failure(`The demo operation's webhook address could not be changed to ${webhookUrl}: ${stderr.trim()}`);
  return { ...operation, webhook_url: webhookUrl };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
