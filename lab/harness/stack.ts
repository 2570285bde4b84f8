// A whole gateway for a test: its own database, Temporal namespace, simulator, worker, api and ingress, and an
// operator's receiver.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { createGatewayClient, type GatewayClient } from '../../client/index.js';
import type { TaskQueue } from '../../contract/temporal/workers.js';
import { DATA_CONVERTER } from '../../platform/temporal/connection.js';
import type { ProgramName } from '../../tools/servers/programs.js';
import { createTestDatabase, testPostgresUrl } from './database.js';
import { keepIfFailed } from '../../tools/test-run/failed-stack.js';
import { freePorts, Gateway, overPort, type ParsedCommand, type ProvisionedOperation } from './gateway.js';
import { type NetworkLink, startNetworkLink } from './network-link.js';
import type { Node } from './node.js';
import { type Receiver, startReceiver } from './receiver.js';
import { StatementLog } from './statement-log.js';
import { createNamespace } from './temporal-namespace.js';

export interface Stack {
  readonly simulator: Node;
  readonly worker: Node;
  readonly api: Node;
  readonly ingress: Node;
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
  addWorker(queues: readonly TaskQueue[], more?: Readonly<Record<string, string>>): Promise<Node>;
  /** Runs the `gateway` command and parses its JSON. Throws with its stderr when it fails. */
  readonly gateway: ParsedCommand;
  /** Starts one more process of that program, on a port of its own; ended with the stack. */
  another(program: ProgramName, more?: Readonly<Record<string, string>>): Promise<Node>;
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
  readonly prepare?: (gateway: ParsedCommand) => Promise<void>;
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
  const databasePort = Number(new URL(database.url).port);
  const databaseLink = await startNetworkLink('database', [databasePort], () => statementLog.reader());
  const temporal = { address: servers.temporalAddress, namespace: `test-${randomUUID()}` };
  await createNamespace(temporal.address, temporal.namespace);
  const ports = await freePorts('api', 'ingress', 'simulator', 'workerHealth', 'demoOperator');
  const simulatorUrl = `http://127.0.0.1:${ports.simulator}`;
  const given = Object.entries(variables).map(([name, value]) => [name, value.replace('{simulator}', simulatorUrl)]);
  const gateway = new Gateway({
    folder: home,
    ports,
    temporal,
    database,
    linked: (url) => (servers.isDirect === true ? url : overPort(url, databaseLink.port)),
    variables: { DATABASE_POOL_SIZE: '10', ...Object.fromEntries(given) },
    logFileOf: (name) => join(home, `${name}.log`),
  });
  await prepare?.(gateway.parsed);
  const nodes = {
    simulator: gateway.node('simulator', 'sandbox/simulator', ports.simulator),
    worker: gateway.node('worker', 'worker', ports.workerHealth),
    api: gateway.node('api', 'api', ports.api),
    ingress: gateway.node('ingress', 'ingress', ports.ingress),
  };
  await gateway.start();
  const baseUrl = `${nodes.api.url}/v1`;
  const own = await createOperation(gateway, baseUrl, rules);
  const connection = Connection.lazy({ address: temporal.address });
  const client = new Client({ dataConverter: DATA_CONVERTER, connection, namespace: temporal.namespace });
  let closing: Promise<void> | undefined;
  const close = async () => {
    await keepIfFailed(home, client);
    await gateway.kill();
    await own.receiver.close();
    await connection.close();
    await databaseLink.close();
    await database.drop();
    rmSync(home, { recursive: true, force: true });
  };
  const stack: Stack = {
    ...nodes,
    ...own,
    databaseLink,
    statementLog,
    gateway: gateway.parsed,
    temporal: { ...temporal, client },
    databaseUrl: database.url,
    environment: gateway.variables,
    folder: home,
    simulatorUrl,
    workerHealthUrl: nodes.worker.url,
    baseUrl,
    another: (program, more) => gateway.another(program, more),
    addWorker: (queues, more = {}) => gateway.another('worker', { WORKER_TASK_QUEUES: queues.join(), ...more }),
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
  gateway: Gateway,
  baseUrl: string,
  rules?: string,
): Promise<Pick<Stack, 'operation' | 'receiver' | 'client'>> {
  const receiver = await startReceiver();
  const operation = await gateway.createOperation(
    'acme',
    receiver.url,
    ...(rules === undefined ? [] : ['--rules', rules]),
  );
  const client = createGatewayClient({ baseUrl, keyId: operation.key_id, secret: operation.secret });
  return { operation, receiver, client };
}

/** The servers of `npm test`. */
export function testServers(): StackServers {
  const temporalAddress = process.env['TEST_TEMPORAL_ADDRESS'];
  if (!temporalAddress)
    throw new Error('TEST_TEMPORAL_ADDRESS is not set: run the tests by `npm test`, or see `npm test -- --serve`.');
  return { postgresUrl: testPostgresUrl(), temporalAddress };
}
