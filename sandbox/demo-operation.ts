// The demo operation: made once by the `gateway` command, and kept in a file with its credentials, which is what a
// developer (or a test from outside) works with.
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { z } from 'zod';
import { accountSchema, demoPeople } from './demo-people.js';
import { tlsFilesSchema } from './demo-operator/sandbox-file.js';
import { writePrivateJson } from './private-file.js';

/** An operation with its key and webhook secret, as `gateway operation create` prints it. */
export const operationSchema = z.object({
  operation_id: z.string(),
  key_id: z.string(),
  secret: z.string(),
  scopes: z.array(z.string()),
  webhook_secret: z.string(),
});
const sandboxSchema = z.object({
  base_url: z.string(),
  panel_url: z.string(),
  temporal_ui_url: z.string(),
  tls: tlsFilesSchema.optional(),
  operation: operationSchema.extend({ webhook_url: z.string() }),
  /** Who may sign in to the panel, each with a link that works once. Absent where there is no panel. */
  panel_accounts: z.array(accountSchema).optional(),
});
/** The content of the file. */
export type Sandbox = z.output<typeof sandboxSchema>;
type Created = z.output<typeof operationSchema>;
type Operation = Sandbox['operation'];

/** Runs the `gateway` command; never throws. */
export type GatewayCommand = (
  args: string[],
) => Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }>;

/** The operation cannot be created or used. The message says what to do. */
export class DemoOperationError extends Error {
  override readonly name = 'DemoOperationError';
}

const CONNECT_TIMEOUT_MS = 10_000;

/** The sandbox's addresses, and the file that holds them. */
export interface SandboxPlaces extends Omit<Sandbox, 'operation' | 'panel_accounts'> {
  readonly file: string;
  readonly webhookUrl: string;
}

/**
 * Keeps the operation of an earlier start if the database still has it, makes one otherwise, and writes the file. `say`
 * gets a line for a person. Throws {@link DemoOperationError}.
 */
export async function ensureDemoOperation(
  { file, webhookUrl, ...places }: SandboxPlaces,
  databaseUrl: string,
  gateway: GatewayCommand,
  say: (line: string) => void,
): Promise<Sandbox> {
  const kept = await keptOperation(file, databaseUrl, say);
  const operation =
    kept === undefined
      ? { ...(await createOperation(gateway, 'Demo operator', webhookUrl)), webhook_url: webhookUrl }
      : await withWebhookUrl(kept, gateway, webhookUrl);
  const accounts = places.panel_url === '' ? undefined : await accountsOf(gateway);
  const sandbox: Sandbox = { ...places, operation, ...(accounts && { panel_accounts: accounts }) };
  writePrivateJson(file, withOthersKeys(sandbox, readJson(file)));
  return sandbox;
}

/** What is written, and what others have added to the file. */
function withOthersKeys(sandbox: Sandbox, before: unknown): object {
  const file = z.looseObject({ operation: z.looseObject({}).optional() }).safeParse(before);
  if (!file.success) return sandbox;
  const { operation = {}, ...others } = file.data;
  const isSame = operation['operation_id'] === sandbox.operation.operation_id;
  return {
    ...without(others, Object.keys(sandboxSchema.shape)),
    ...sandbox,
    operation: { ...(isSame ? without(operation, Object.keys(sandbox.operation)) : {}), ...sandbox.operation },
  };
}

function without(object: Readonly<Record<string, unknown>>, names: readonly string[]) {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

async function accountsOf(gateway: GatewayCommand) {
  const accounts = await demoPeople(gateway);
  if (typeof accounts === 'string') throw new DemoOperationError(`The panel's people could not be made: ${accounts}`);
  return accounts;
}

async function keptOperation(
  file: string,
  databaseUrl: string,
  say: (line: string) => void,
): Promise<Operation | undefined> {
  const parsed = sandboxSchema.safeParse(readJson(file));
  if (!parsed.success) return undefined;
  const { operation } = parsed.data;
  if (await isKnown(databaseUrl, operation)) return operation;
  say(`The database has no operation ${operation.operation_id} with its key any more; making a new one.`);
  return undefined;
}

/** Whether the database has the operation, with this key. */
export async function isKnown(
  databaseUrl: string,
  { operation_id, key_id }: Pick<Created, 'operation_id' | 'key_id'>,
): Promise<boolean> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  await client.connect();
  try {
    const found = await client.query(
      'SELECT 1 FROM api_key WHERE operation_id = $1 AND key_id = $2 AND revoked_at IS NULL',
      [operation_id, key_id],
    );
    return found.rowCount === 1;
  } finally {
    await client.end();
  }
}

/** Makes an operation of the sandbox with the `gateway` command. Throws {@link DemoOperationError}. */
export async function createOperation(gateway: GatewayCommand, name: string, webhookUrl?: string): Promise<Created> {
  const { code, stdout, stderr } = await gateway([
    'operation',
    'create',
    '--name',
    name,
    '--environment',
    'sandbox',
    '--provider',
    'simulator',
    ...(webhookUrl === undefined ? [] : ['--webhook-url', webhookUrl]),
  ]);
  const created = operationSchema.safeParse(parseJson(stdout));
  if (code !== 0 || !created.success) {
    throw new DemoOperationError(
      `The operation "${name}" could not be made ("gateway operation create" ended with code ${code}): ` +
        `${stderr.trim() || 'unexpected answer'}`,
    );
  }
  return created.data;
}

/** The ports may have moved since the last start. */
async function withWebhookUrl(operation: Operation, gateway: GatewayCommand, webhookUrl: string): Promise<Operation> {
  if (operation.webhook_url === webhookUrl) return operation;
  const { code, stderr } = await gateway([
    'operation',
    'set-webhook',
    '--operation',
    operation.operation_id,
    webhookUrl,
  ]);
  if (code !== 0)
    throw new DemoOperationError(
      `The demo operation's webhook address could not be changed to ${webhookUrl}: ${stderr.trim()}`,
    );
  return { ...operation, webhook_url: webhookUrl };
}

/** Undefined where there is no file. A damaged one is not silently replaced: it holds the only copy of a secret. */
function readJson(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new DemoOperationError(`${file} cannot be read: ${(error as Error).message}`);
  }
  const content = parseJson(text);
  if (content === undefined) throw new DemoOperationError(`${file} is not valid JSON. Restore it, or begin anew.`);
  return content;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
