// A whole gateway for a test: its own database, Temporal namespace, simulator, worker, api and ingress, and an
// operator's receiver.
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { createGatewayClient, type GatewayClient } from '../../client/index.js';
import { gatewayInProcess } from '../../sandbox/gateway-in-process.js';
import type { TaskQueue } from '../../contract/temporal/task-queues.js';
import { findFreePort } from '../processes/ports.js';
import { ProcessRegistry } from '../processes/registry.js';
import type { Service } from '../processes/service.js';
import { registerSearchAttributes } from '../servers/search-attributes.js';
import type { UrlOfRole } from '../servers/postgres-roles.js';
import { createTestDatabase, type TestDatabase, testPostgresUrl } from './database.js';
import { type NetworkLink, startNetworkLink } from './network-link.js';
import type { ProgramName } from '../servers/programs.js';
import { testService } from './processes.js';
import { type Receiver, startReceiver } from './receiver.js';
import { StatementLog } from './statement-log.js';

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
  readonly temporal: { readonly address: string; readonly namespace: string };
  readonly databaseUrl: string;
  /** The variables of its processes, which have DATABASE_URL under their own roles. */
  readonly environment: Readonly<Record<string, string>>;
  /** Holds its logs and is removed with it. */
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

/**
 * Starts everything, in about three seconds, on the servers of `npm test` or on given ones. The processes end with the
 * calling one, however that ends.
 * @param variables for every process
 * @param prepare runs before the processes start, when the database exists
 */
export async function startStack(
  rules?: string,
  servers: StackServers = testServers(),
  variables: Readonly<Record<string, string>> = {},
  prepare?: (gateway: Stack['gateway']) => Promise<void>,
): Promise<Stack> {
  const { postgresUrl, temporalAddress: address } = servers;
  const home = mkdtempSync(join(servers.folder ?? tmpdir(), 'gateway-test-'));
  const registry = new ProcessRegistry(join(home, 'processes.json'));
  const database = await createTestDatabase(postgresUrl);
  const statementLog = new StatementLog();
  const databaseLink = await startNetworkLink('database', [portOf(database.url)], () => statementLog.reader());
  const namespace = `test-${randomUUID()}`;
  await createNamespace(address, namespace);
  const ports = {
    api: await findFreePort(),
    ingress: await findFreePort(),
    simulator: await findFreePort(),
    health: await findFreePort(),
  };
  const simulatorUrl = `http://127.0.0.1:${ports.simulator}`;
  const linkedUrl = servers.isDirect === true ? database.url : withPort(database.url, databaseLink.port);
  const environment = {
    ...stackEnvironment({
      databaseUrl: linkedUrl,
      address,
      namespace,
      ports,
      stateDir: join(home, 'simulator'),
      sealsDir: join(home, 'audit-seals'),
    }),
    ...Object.fromEntries(
      Object.entries(variables).map(([name, value]) => [name, value.replace('{simulator}', simulatorUrl)]),
    ),
  };
  const urlOfRole: UrlOfRole = (role) =>
    servers.isDirect === true ? database.urlOfRole(role) : withPort(database.urlOfRole(role), databaseLink.port);
  const start = (name: string, healthPort: number, program: ProgramName) =>
    testService({ name, program, environment, urlOfRole, healthPort, logFile: join(home, `${name}.log`) }, registry);
  const processes = {
    simulator: start('simulator', ports.simulator, 'sandbox/simulator'),
    worker: start('worker', ports.health, 'worker'),
    api: start('api', ports.api, 'api'),
    ingress: start('ingress', ports.ingress, 'ingress'),
  };
  const others: Service[] = [];
  const startOther = async (program: ProgramName, more: Readonly<Record<string, string>> = {}) => {
    const own = await findFreePort();
    const url = `http://127.0.0.1:${own}`;
    const variables = {
      API_PORT: String(own),
      WORKER_HEALTH_PORT: String(own),
      SIMULATOR_PORT: String(own),
      INGRESS_PORT: String(own),
      PANEL_PORT: String(own),
      ...more,
    };
    const logFile = join(home, `${program.replaceAll('/', '-')}-${others.length + 2}.log`);
    const process = testService(
      { name: program, program, environment: { ...environment, ...variables }, urlOfRole, healthPort: own, logFile },
      registry,
    );
    others.push(process);
    await process.start();
    return { url, port: own, process };
  };
  let closing: Promise<void> | undefined;
  const gateway = (...args: string[]) =>
    runGateway({ ...environment, DATABASE_URL: database.urlOfRole('gateway_command') }, args);
  await prepare?.(gateway);
  await Promise.all(Object.values(processes).map((process) => process.start()));
  const baseUrl = `http://127.0.0.1:${ports.api}/v1`;
  const own = await createOperation(gateway, baseUrl, rules);
  const stack: Stack = {
    ...processes,
    ...own,
    databaseLink,
    statementLog,
    gateway,
    temporal: { address, namespace },
    databaseUrl: database.url,
    environment,
    folder: home,
    simulatorUrl,
    workerHealthUrl: `http://127.0.0.1:${ports.health}`,
    baseUrl,
    another: async (program) => (await startOther(program)).url,
    addPanel: () => startOther('panel'),
    addWorker: async (queues, more = {}) =>
      (await startOther('worker', { WORKER_TASK_QUEUES: queues.join(), ...more })).process,
    withNewOperation: async () => {
      const other = await createOperation(gateway, baseUrl);
      return { ...stack, ...other, close: () => other.receiver.close() };
    },
    close: () =>
      (closing ??= (async () => {
        await closeAll([...Object.values(processes), ...others], own.receiver, databaseLink, database);
        registry.close();
        rmSync(home, { recursive: true, force: true });
      })()),
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

async function closeAll(
  processes: readonly Service[],
  receiver: Receiver,
  link: NetworkLink,
  database: TestDatabase,
): Promise<void> {
  await Promise.all(processes.map((process) => process.kill()));
  await receiver.close();
  await link.close();
  await database.drop();
}

function stackEnvironment(parts: {
  databaseUrl: string;
  address: string;
  namespace: string;
  ports: { api: number; ingress: number; simulator: number; health: number };
  stateDir: string;
  sealsDir: string;
}): Record<string, string> {
  const { ports } = parts;
  const key = () => randomBytes(32).toString('base64');
  return {
    GATEWAY_ENVIRONMENT: 'sandbox',
    DATABASE_URL: parts.databaseUrl,
    DATABASE_POOL_SIZE: '10',
    TEMPORAL_ADDRESS: parts.address,
    TEMPORAL_NAMESPACE: parts.namespace,
    GATEWAY_SEALING_KEYS: `k1:${key()}`,
    GATEWAY_HASH_KEY: key(),
    GATEWAY_AUDIT_KEY: key(),
    GATEWAY_AUDIT_SEALS_DIR: parts.sealsDir,
    LOG_LEVEL: 'info',
    API_PORT: String(ports.api),
    INGRESS_PORT: String(ports.ingress),
    WORKER_HEALTH_PORT: String(ports.health),
    SIMULATOR_PORT: String(ports.simulator),
    SIMULATOR_STATE_DIR: parts.stateDir,
    SIMULATOR_CALLBACK_URL: `http://127.0.0.1:${ports.ingress}`,
    SIMULATOR_CONTROL_URL: `http://127.0.0.1:${ports.simulator}`,
    ...Object.fromEntries(['simulator', 'a', 'b'].flatMap((name) => providerEnvironment(name, ports.simulator))),
  };
}

function providerEnvironment(name: string, simulatorPort: number): [string, string][] {
  const secret = () => randomBytes(16).toString('hex');
  const values = {
    URL: `http://127.0.0.1:${simulatorPort}/${name}`,
    CLIENT_ID: `test-${name}`,
    CLIENT_SECRET: secret(),
    PIX_KEY: randomUUID(),
    CALLBACK_SECRET: secret(),
  };
  return Object.entries(values).map(([field, value]) => [`PROVIDER_${name.toUpperCase()}_${field}`, value]);
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

/** A namespace per stack keeps the workers and payments of tests apart on one server. */
export async function createNamespace(address: string, namespace: string): Promise<void> {
  const connection = await Connection.connect({ address });
  try {
    await connection.workflowService.registerNamespace({
      namespace,
      workflowExecutionRetentionPeriod: { seconds: 86_400 as never },
    });
    for (let tries = 1; ; tries += 1) {
      // A new namespace becomes visible to the server's own caches after a moment.
      const visible = await registerSearchAttributes({ address }, namespace).then(
        () => true,
        () => false,
      );
      if (visible) return;
      if (tries > 60) throw new Error(`the namespace ${namespace} does not become usable`);
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  } finally {
    await connection.close();
  }
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
