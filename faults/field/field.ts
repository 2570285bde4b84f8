// What a campaign is played on: real processes (two api, two workers, the provider simulator, the demo operator) on their own PostgreSQL and
// Temporal, with a link of our own between any two of them.
import { join } from 'node:path';
import pg from 'pg';
import { demoOperatorControl, type DemoOperatorControl } from '../../demo-operator/control-client.js';
import { step } from '../../dev/bootstrap/progress.mjs';
import { findFreePort } from '../../dev/processes/ports.js';
import { stackEnvironment } from '../../dev/stack/environment.js';
import { gatewayCommand } from '../../dev/stack/gateway-command.js';
import { pathsBelow } from '../../dev/stack/paths.js';
import { ensureSandbox } from '../../dev/stack/sandbox.js';
import { ensureSecrets } from '../../dev/stack/secrets.js';
import { createTestDatabase } from '../../test/support/database.js';
import type { ProgramName } from '../../test/support/stack/processes.js';
import type { ProvisionedOperation } from '../../test/support/stack/stack.js';
import { type FailpointDesk, startFailpointDesk } from './failpoint-desk.js';
import { type Link, startLink } from './link.js';
import { Node } from './node.js';
import { Operator } from './operator.js';
import type { CampaignServers } from './servers.js';

export const LINKS = ['requests-1', 'requests-2', 'requests', 'callbacks', 'webhooks', 'provider', 'postgres-api', 'postgres-worker', 'temporal-api', 'temporal-worker'] as const;
export type LinkName = (typeof LINKS)[number];

/** How often the demo operator asks for events that no webhook brought. */
const RECOVERY_SECONDS = '5';

export interface Field {
  readonly servers: CampaignServers;
  readonly links: Readonly<Record<LinkName, Link>>;
  readonly desk: FailpointDesk;
  readonly apis: readonly [Node, Node];
  readonly workers: readonly [Node, Node];
  readonly simulator: Node;
  readonly demoOperator: Node;
  /** The operation whose webhooks the demo operator receives. */
  readonly operator: Operator;
  /** It, and those that scenarios have made. */
  readonly operators: readonly Operator[];
  /** The demo operator's own books. */
  readonly demoBooks: DemoOperatorControl;
  /** The database directly, not over a link. */
  readonly database: pg.Pool;
  /** Payments that stay open, by design or because an earlier scenario has found them stuck: none of the next one's business. */
  readonly leftOpen: Set<string>;
  readonly folder: string;
  /** Where each process says what it counts. */
  readonly metricsUrls: readonly string[];
  /** What every process is told, for one more process. */
  readonly environment: Readonly<Record<string, string>>;
  /** Runs the `gateway` command and parses its JSON; throws with its stderr when it fails. */
  gateway(...args: string[]): Promise<Record<string, unknown>>;
  /** One more operation, with a receiver of the scenario's own. */
  newOperator(name: string, webhookUrl: string, ...more: string[]): Promise<Operator>;
  /** Every link passes, every process runs as at the start, no trap is set. */
  heal(): Promise<void>;
  close(): Promise<void>;
}

/** Starts everything; some ten seconds. */
export async function startField(servers: CampaignServers): Promise<Field> {
  const folder = join(servers.run.folder, `field-${Date.now()}`);
  const paths = pathsBelow(folder);
  const ports = await freePorts('api1', 'api2', 'ingress1', 'ingress2', 'metrics1', 'metrics2', 'worker1', 'worker2', 'simulator', 'demoOperator');
  const database = await createTestDatabase(servers.postgres.superuserUrl);
  const desk = await startFailpointDesk();
  const links = await startLinks(ports, servers);
  const secrets = ensureSecrets(paths.secrets, paths.postgres);
  const through = (link: LinkName) => overLink(database.url, links[link].port);
  const shared = {
    ...stackEnvironment(
      { ports: { api: ports.api1, ingress: links.callbacks.port, simulator: ports.simulator, demoOperator: ports.demoOperator, workerHealth: ports.worker1 }, temporalNamespace: 'default', docsUrl: undefined, logLevel: 'info' },
      { databaseUrl: through('postgres-api'), temporalAddress: `127.0.0.1:${links['temporal-api'].port}` },
      secrets,
      paths,
    ),
    DATABASE_POOL_SIZE: '15',
    DEMO_OPERATOR_RECOVERY_SECONDS: RECOVERY_SECONDS,
    GATEWAY_FAILPOINTS_URL: desk.url,
    ...Object.fromEntries(['simulator', 'a', 'b'].map((name) => [`PROVIDER_${name.toUpperCase()}_URL`, `http://127.0.0.1:${links.provider.port}/${name}`])),
  };
  const node = (name: string, program: ProgramName, port: number, variables: Readonly<Record<string, string>> = {}) =>
    new Node({ name, program, environment: { ...shared, ...variables }, url: `http://127.0.0.1:${port}`, logFile: paths.logFileOf(name), registry: servers.run.registry });
  const ofWorker = { DATABASE_URL: through('postgres-worker'), TEMPORAL_ADDRESS: `127.0.0.1:${links['temporal-worker'].port}` };
  const apis = [
    node('api-1', 'api', ports.api1, { API_PORT: String(ports.api1), INGRESS_PORT: String(ports.ingress1), API_METRICS_PORT: String(ports.metrics1) }),
    node('api-2', 'api', ports.api2, { API_PORT: String(ports.api2), INGRESS_PORT: String(ports.ingress2), API_METRICS_PORT: String(ports.metrics2) }),
  ] as const;
  const workers = [
    node('worker-1', 'worker', ports.worker1, { ...ofWorker, WORKER_HEALTH_PORT: String(ports.worker1) }),
    node('worker-2', 'worker', ports.worker2, { ...ofWorker, WORKER_HEALTH_PORT: String(ports.worker2) }),
  ] as const;
  const simulator = node('simulator', 'simulator', ports.simulator);
  const demoOperator = node('demo-operator', 'demo-operator' as ProgramName, ports.demoOperator);
  const nodes = [simulator, ...workers, ...apis, demoOperator];
  const command = gatewayCommand({ ...shared, DATABASE_URL: database.url, TEMPORAL_ADDRESS: servers.temporal.address });
  const gateway = async (...args: string[]) => {
    const { code, stdout, stderr } = await command(args);
    if (code !== 0) throw new Error(`gateway ${args[0] ?? ''} ${args[1] ?? ''} ended with ${code}: ${stderr.slice(0, 500)}`);
    return JSON.parse(stdout) as Record<string, unknown>;
  };
  const close = async () => {
    await Promise.all(nodes.map((one) => one.kill()));
    await pool.end().catch(() => undefined);
    await Promise.all(Object.values(links).map((link) => link.close()));
    await desk.close();
    await database.drop().catch(() => undefined);
  };
  const pool = new pg.Pool({ connectionString: database.url, max: 4 });
  pool.on('error', () => undefined);
  try {
    const { operation } = await ensureSandbox(
      { file: paths.sandbox, base_url: `http://127.0.0.1:${links.requests.port}/v1`, panel_url: '', temporal_ui_url: '', webhookUrl: `http://127.0.0.1:${links.webhooks.port}/webhooks` },
      database.url,
      command,
    );
    await step('two api, two workers, simulator and demo operator', () => Promise.all(nodes.map((one) => one.start())));
    const demoBooks = demoOperatorControl(demoOperator.spec.url);
    const requestPorts = [links['requests-1'].port, links['requests-2'].port];
    const operators = [new Operator(operation, requestPorts, demoBooks)];
    const metricsUrls = [ports.metrics1, ports.metrics2, ports.worker1, ports.worker2, ports.simulator].map((port) => `http://127.0.0.1:${port}/metrics`);
    return {
      servers, links, desk, leftOpen: new Set(), apis, workers, simulator, demoOperator, demoBooks, database: pool, folder, metricsUrls, environment: shared, gateway, close,
      operator: operators[0] as Operator,
      operators,
      newOperator: async (name, webhookUrl, ...more) => {
        const created = await gateway('operation', 'create', '--name', name, '--environment', 'sandbox', '--provider', 'simulator', '--webhook-url', webhookUrl, ...more);
        const operator = new Operator(created as unknown as ProvisionedOperation, requestPorts, null);
        operators.push(operator);
        return operator;
      },
      heal: async () => {
        desk.clear();
        for (const link of Object.values(links)) link.heal();
        await Promise.all([servers.postgres.ready(), servers.temporal.ready()]);
        await Promise.all(nodes.map((one) => one.heal()));
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function freePorts<Name extends string>(...names: Name[]): Promise<Record<Name, number>> {
  const ports = new Map<Name, number>();
  for (const name of names) ports.set(name, await findFreePort());
  return Object.fromEntries(ports) as Record<Name, number>;
}

async function startLinks(ports: Record<'api1' | 'api2' | 'ingress1' | 'ingress2' | 'simulator' | 'demoOperator', number>, { postgres, temporal }: CampaignServers): Promise<Record<LinkName, Link>> {
  const targets: Readonly<Record<LinkName, readonly number[]>> = {
    'requests-1': [ports.api1],
    'requests-2': [ports.api2],
    requests: [ports.api1, ports.api2],
    callbacks: [ports.ingress1, ports.ingress2],
    webhooks: [ports.demoOperator],
    provider: [ports.simulator],
    'postgres-api': [postgres.port],
    'postgres-worker': [postgres.port],
    'temporal-api': [temporal.port],
    'temporal-worker': [temporal.port],
  };
  const links = await Promise.all(LINKS.map(async (name) => [name, await startLink(name, targets[name])] as const));
  return Object.fromEntries(links) as Record<LinkName, Link>;
}

function overLink(url: string, port: number): string {
  const changed = new URL(url);
  changed.hostname = '127.0.0.1';
  changed.port = String(port);
  return changed.toString();
}
