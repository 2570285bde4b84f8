// A whole gateway for a test: its own database, Temporal namespace, simulator, worker, api and ingress, and an
// operator's receiver.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { createGatewayClient, type GatewayClient } from '../../client/index.js';
import { gatewayInProcess } from '../../sandbox/gateway-in-process.js';
import type { TaskQueue } from '../../contract/temporal/task-queues.js';
import type { Service } from '../../tools/processes/service.js';
import type { ProgramName } from '../../tools/servers/programs.js';
import { createTestDatabase, testPostgresUrl } from './database.js';
import { keepIfFailed } from '../../tools/test-run/failed-stack.js';
import { type NetworkLink, startNetworkLink } from './network-link.js';
import { type Receiver, startReceiver } from './receiver.js';
import { findStackPorts, stackEnvironment } from './stack-environment.js';
import { StackProcesses } from './stack-processes.js';
import { StatementLog } from './statement-log.js';
import { createNamespace } from './temporal-namespace.js';

export interface ProvisionedOperation {
  readonly operation_id: string;
  readonly key_id: string;
  readonly secret: string;
  readonly webhook_secret: string;
}

export interface Stack {
  readonly simulator: Service;
  readonly worker: Service;
  readonly api: Service;
  readonly ingress: Service;
  /** Between the processes and PostgreSQL: cut it to make the database unreachable. */
  readonly databaseLink: NetworkLink;
  /** The statements sent over that link. */
  readonly statementLog: StatementLog;
  readonly receiver: Receiver;
  readonly operation: ProvisionedOperation;
  readonly client: GatewayClient;
  /** Where its workflows run; the client connects at its first call and is closed with the stack. */
  readonly temporal: { readonly address: string; readonly namespace: string; readonly client: Client };
  readonly databaseUrl: string;
  /** The variables of its processes, which have DATABASE_URL under their own roles. */
  readonly environment: Readonly<Record<string, string>>;
  /** Holds its logs and is removed with it; a copy stays if a test failed (failed-stack.ts). */
  readonly folder: string;
  readonly simulatorUrl: string;
  /** Readiness, liveness and metrics of the worker. */
  readonly workerHealthUrl: string;
  /** Where the api is, ending in /v1. */
  readonly baseUrl: string;
  /** Starts one more worker process for these queues only; `more` are its additional variables. */
  addWorker(queues: readonly TaskQueue[], more?: Readonly<Record<string, string>>): Promise<Service>;
  /** Starts the panel as a separate process, on its own port. */
  addPanel(): Promise<{ readonly port: number; readonly process: Service }>;
  /** Runs the `gateway` command and parses its JSON. Throws with its stderr when it fails. */
  gateway(...args: string[]): Promise<Record<string, unknown>>;
  /** Starts one more process of that program, on its own ports; ended with the stack. @returns where it answers */
  another(program: ProgramName): Promise<string>;
  /** The same stack, used by a new operation with a receiver of its own; its `close` closes only the receiver. */
  withNewOperation(): Promise<Stack>;
  close(): Promise<void>;
}

/** The servers that a stack is put on. */
export interface StackServers {
  /** The superuser's URL of a PostgreSQL server. */
  readonly postgresUrl: string;
  readonly temporalAddress: string;
  /** Where the stack keeps its files; the system's folder for temporary ones by default. */
  readonly folder?: string;
  /** No proxy between the processes and PostgreSQL: `databaseLink` and `statementLog` are idle then. */
  readonly isDirect?: boolean;
}

export interface StackOptions {
  /** The rules of its operation: a file. */
  readonly rules?: string;
  /** Those of `npm test` by default. */
  readonly servers?: StackServers;
  /** For every process. `{simulator}` stands for the simulator's address. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Runs before the processes start, when the database exists. */
  readonly prepare?: (gateway: Stack['gateway']) => Promise<void>;
}

/** Starts everything, in about three seconds. The processes end with the calling one, however that ends. */
export async function startStack({
  rules,
  servers = testServers(),
  variables = {},
  prepare,
}: StackOptions = {}): Promise<Stack> {
  const home = mkdtempSync(join(servers.folder ?? tmpdir(), 'gateway-test-'));
  const database = await createTestDatabase(servers.postgresUrl);
  const statementLog = new StatementLog();
  const databaseLink = await startNetworkLink('database', [portOf(database.url)], () => statementLog.reader());
  const linked = (url: string) => (servers.isDirect === true ? url : withPort(url, databaseLink.port));
  const temporal = { address: servers.temporalAddress, namespace: `test-${randomUUID()}` };
  await createNamespace(temporal.address, temporal.namespace);
  const ports = await findStackPorts();
  const simulatorUrl = `http://127.0.0.1:${ports.simulator}`;
  const given = Object.entries(variables).map(([name, value]) => [name, value.replace('{simulator}', simulatorUrl)]);
  const environment: Readonly<Record<string, string>> = {
    ...stackEnvironment({ databaseUrl: linked(database.url), temporal, ports, home }),
    ...Object.fromEntries(given),
  };
  const gateway = (...args: string[]) =>
    runGateway({ ...environment, DATABASE_URL: database.urlOfRole('gateway_command') }, args);
  await prepare?.(gateway);
  const connection = Connection.lazy({ address: temporal.address });
  const processes = new StackProcesses({
    environment,
    urlOfRole: (role) => linked(database.urlOfRole(role)),
    ports,
    home,
  });
  await processes.start();
  const baseUrl = `http://127.0.0.1:${ports.api}/v1`;
  const own = await createOperation(gateway, baseUrl, rules);
  const client = new Client({ connection, namespace: temporal.namespace });
  let closing: Promise<void> | undefined;
  const close = async () => {
    await keepIfFailed(home, client);
    await processes.kill();
    await own.receiver.close();
    await connection.close();
    await databaseLink.close();
    await database.drop();
    rmSync(home, { recursive: true, force: true });
  };
  const stack: Stack = {
    ...processes.services,
    ...own,
    databaseLink,
    statementLog,
    gateway,
    temporal: { ...temporal, client },
    databaseUrl: database.url,
    environment,
    folder: home,
    simulatorUrl,
    workerHealthUrl: `http://127.0.0.1:${ports.health}`,
    baseUrl,
    another: async (program) => (await processes.startAnother(program)).url,
    addPanel: () => processes.startAnother('panel'),
    addWorker: async (queues, more = {}) =>
      (await processes.startAnother('worker', { WORKER_TASK_QUEUES: queues.join(), ...more })).process,
    withNewOperation: async () => {
      const other = await createOperation(gateway, baseUrl);
      return { ...stack, ...other, close: () => other.receiver.close() };
    },
    close: () => (closing ??= close()),
  };
  return stack;
}

/** A sandbox operation at the simulator, with a receiver for its webhooks. */
async function createOperation(
  gateway: Stack['gateway'],
  baseUrl: string,
  rules?: string,
): Promise<Pick<Stack, 'operation' | 'receiver' | 'client'>> {
  const receiver = await startReceiver();
  const place = ['--environment', 'sandbox', '--provider', 'simulator', '--webhook-url', receiver.url];
  const ruleSet = rules === undefined ? [] : ['--rules', rules];
  const created = await gateway('operation', 'create', '--name', 'acme', ...place, ...ruleSet);
  const operation = created as unknown as ProvisionedOperation;
  const client = createGatewayClient({ baseUrl, keyId: operation.key_id, secret: operation.secret });
  return { operation, receiver, client };
}

/** In this process: starting one takes a second of a processor. The error has what the command printed. */
async function runGateway(
  environment: Record<string, string>,
  args: readonly string[],
): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await gatewayInProcess({ ...process.env, ...environment })([...args]);
  if (code === 0) return JSON.parse(stdout) as Record<string, unknown>;
  throw Object.assign(new Error(`gateway ${args.join(' ')} ended with ${code}:\n${stderr}`), { stdout, stderr });
}

/** The servers of `npm test`. */
export function testServers(): StackServers {
  const temporalAddress = process.env['TEST_TEMPORAL_ADDRESS'];
  if (!temporalAddress)
    throw new Error('TEST_TEMPORAL_ADDRESS is not set: run the tests by `npm test`, or see `npm test -- --serve`.');
  return { postgresUrl: testPostgresUrl(), temporalAddress };
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}

function withPort(url: string, port: number): string {
  const changed = new URL(url);
  changed.hostname = '127.0.0.1';
  changed.port = String(port);
  return changed.toString();
}
