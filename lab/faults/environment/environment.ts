// The environment of a fault campaign: two api, two ingresses, two workers, the provider simulator and the demo
// operator as real processes, on their own PostgreSQL and Temporal, with a network link between any two.
import { join } from 'node:path';
import pg from 'pg';
import { demoOperatorControl, type DemoOperatorControl } from '../../../sandbox/demo-operator/control-client.js';
import { step } from '../../../tools/bootstrap/progress.mjs';
import { findFreePort } from '../../../tools/processes/ports.js';
import type { GatewayCommand } from '../../../sandbox/demo-operation.js';
import { gatewayInProcess } from '../../../sandbox/gateway-in-process.js';
import { pathsBelow } from '../../../tools/stack/paths.js';
import { ensureSandbox, type SandboxPlaces } from '../../../tools/stack/sandbox.js';
import { createTestDatabase } from '../../harness/database.js';
import type { ProvisionedOperation } from '../../harness/stack.js';
import { type Entrances, type LoadBalancer, balanceByEdge, balanceByLinks, type PerApiLinks } from './load-balancer.js';
import { type NetworkLink, startNetworkLink } from '../../harness/network-link.js';
import type { UrlOfRole } from '../../../tools/servers/postgres-roles.js';
import type { Node } from './node.js';
import { makeNodes, NODE_PORTS, type NodePorts, type Nodes } from './nodes.js';
import { Operator } from './operator.js';
import type { CampaignServers } from './servers.js';

export const LINKS = [
  'requests-1',
  'requests-2',
  'requests',
  'callbacks',
  'webhooks',
  'provider',
  'postgres-api',
  'postgres-worker',
  'temporal-api',
  'temporal-worker',
] as const;
export type LinkName = (typeof LINKS)[number];

export interface Environment {
  readonly servers: CampaignServers;
  readonly links: Readonly<Record<LinkName, NetworkLink>>;
  /** Where operators send requests. */
  readonly entrances: Entrances;
  /** Leads requests and callbacks to the apis. */
  readonly loadBalancer: LoadBalancer;
  readonly apis: readonly [Node, Node];
  readonly ingresses: readonly [Node, Node];
  readonly workers: readonly [Node, Node];
  /** Those that deliver webhooks: the same on the dev server, two of their own on the cluster. */
  readonly webhookWorkers: readonly [Node, Node];
  readonly allWorkers: readonly Node[];
  readonly simulator: Node;
  readonly demoOperator: Node;
  /** The operation whose webhooks the demo operator receives. */
  readonly operator: Operator;
  /** That one and those that scenarios have added. */
  readonly operators: readonly Operator[];
  /** The demo operator's own books. */
  readonly demoBooks: DemoOperatorControl;
  /** The database directly, not over a link. */
  readonly database: pg.Pool;
  /** Payments left open on purpose, or found stuck by an earlier scenario. Later scenarios ignore them. */
  readonly leftOpen: Set<string>;
  readonly folder: string;
  /** The metrics of each process. */
  readonly metricsUrls: readonly string[];
  /** The variables of every process, for one more process. */
  readonly commonVariables: Readonly<Record<string, string>>;
  /** PostgreSQL under a role's own rights, directly. */
  readonly urlOfRole: UrlOfRole;
  /** Runs the `gateway` command and parses its JSON; throws with its stderr when it fails. */
  gateway(...args: string[]): Promise<Record<string, unknown>>;
  /** One more operation, whose webhooks go to a receiver of the scenario. */
  newOperator(name: string, webhookUrl: string, ...more: string[]): Promise<Operator>;
  /** Makes every link pass and every process run as at the start. */
  heal(): Promise<void>;
  close(): Promise<void>;
}

/** Starts everything; takes about ten seconds. */
export async function startEnvironment(servers: CampaignServers): Promise<Environment> {
  const folder = join(servers.run.folder, `environment-${Date.now()}`);
  const paths = pathsBelow(folder);
  const ports = await freePorts(...NODE_PORTS);
  const database = await createTestDatabase(servers.postgres.superuserUrl);
  const network = await openNetwork(servers, ports, folder);
  const { links, loadBalancer } = network;
  const nodes = makeNodes({
    ports,
    links,
    databaseUrl: database.url,
    urlOfRole: database.urlOfRole,
    variables: loadBalancer.variables,
    separateWebhooks: servers.shape === 'cluster',
    paths,
    registry: servers.run.registry,
  });
  const pool = openPool(database.url);
  const close = async () => {
    await Promise.all(nodes.all.map((node) => node.kill()));
    await pool.end().catch(() => undefined);
    await Promise.all(Object.values(links).map((link) => link.close()));
    await database.drop().catch(() => undefined);
  };
  try {
    const command = gatewayInProcess({
      ...process.env,
      ...nodes.commonVariables,
      DATABASE_URL: database.urlOfRole('gateway_command'),
      TEMPORAL_ADDRESS: servers.temporal.address,
    });
    const gateway = parsed(command);
    const { operation } = await ensureSandbox(sandboxPlaces(network, paths.sandbox), database.url, command);
    const entrances = await loadBalancer.open(links, operation.operation_id, gateway);
    await step(`two api, two ingresses, ${nodes.allWorkers.length} workers, simulator and demo operator`, () =>
      Promise.all(nodes.all.map((node) => node.start())),
    );
    const demoBooks = demoOperatorControl(nodes.demoOperator.url);
    const operator = new Operator(operation, entrances.perApi, demoBooks);
    const operators = [operator];
    return {
      servers,
      links,
      entrances,
      loadBalancer,
      leftOpen: new Set(),
      ...nodes,
      demoBooks,
      database: pool,
      urlOfRole: database.urlOfRole,
      folder,
      gateway,
      close,
      operator,
      operators,
      metricsUrls: metricsUrlsOf(ports, nodes),
      newOperator: async (name, webhookUrl, ...more) => {
        const added = new Operator(await createOperation(gateway, name, webhookUrl, more), entrances.perApi, null);
        operators.push(added);
        return added;
      },
      heal: () => heal(servers, network, nodes),
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The links between all processes, and what leads requests and callbacks to the apis. */
interface Network {
  readonly links: Environment['links'];
  readonly loadBalancer: LoadBalancer;
}

async function openNetwork(servers: CampaignServers, ports: NodePorts, folder: string): Promise<Network> {
  const inner = await startLinks(innerTargets(ports, servers));
  const loadBalancer = await startLoadBalancer(servers, ports, inner, folder);
  return { links: { ...inner, ...(await startLinks(loadBalancer.targets)) }, loadBalancer };
}

/** The same command, answering the JSON that it prints. Throws with its stderr when it fails. */
function parsed(command: GatewayCommand): Environment['gateway'] {
  return async (...args) => {
    const { code, stdout, stderr } = await command(args);
    if (code !== 0)
      throw new Error(`gateway ${args[0] ?? ''} ${args[1] ?? ''} ended with ${code}: ${stderr.slice(0, 500)}`);
    return JSON.parse(stdout) as Record<string, unknown>;
  };
}

function openPool(databaseUrl: string): pg.Pool {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 4 });
  // PostgreSQL is killed on purpose.
  pool.on('error', () => undefined);
  return pool;
}

function sandboxPlaces({ links, loadBalancer: { tls } }: Network, file: string): SandboxPlaces {
  return {
    file,
    base_url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${links.requests.port}/v1`,
    panel_url: '',
    temporal_ui_url: '',
    webhookUrl: `http://127.0.0.1:${links.webhooks.port}/webhooks`,
    ...(tls === undefined ? {} : { tls }),
  };
}

async function createOperation(
  gateway: Environment['gateway'],
  name: string,
  webhookUrl: string,
  more: readonly string[],
): Promise<ProvisionedOperation> {
  const where = ['--environment', 'sandbox', '--provider', 'simulator', '--webhook-url', webhookUrl];
  const created = await gateway('operation', 'create', '--name', name, ...where, ...more);
  return created as unknown as ProvisionedOperation;
}

function metricsUrlsOf(
  { metrics1, metrics2, ingressMetrics1, ingressMetrics2, simulator }: NodePorts,
  { allWorkers }: Nodes,
): readonly string[] {
  const ports = [metrics1, metrics2, ingressMetrics1, ingressMetrics2, simulator];
  return [...ports.map((port) => `http://127.0.0.1:${port}`), ...allWorkers.map(({ url }) => url)].map(
    (url) => `${url}/metrics`,
  );
}

async function heal(
  { postgres, temporal }: CampaignServers,
  { links, loadBalancer }: Network,
  { all }: Nodes,
): Promise<void> {
  for (const link of Object.values(links)) link.heal();
  const edges = loadBalancer.edge?.servers ?? [];
  await Promise.all([postgres, temporal, ...edges].map((server) => server.ready()));
  await Promise.all(all.map((node) => node.heal()));
  loadBalancer.direct([0, 1]);
}

async function freePorts<Name extends string>(...names: readonly Name[]): Promise<Record<Name, number>> {
  const ports = new Map<Name, number>();
  for (const name of names) ports.set(name, await findFreePort());
  return Object.fromEntries(ports) as Record<Name, number>;
}

async function startLinks<Name extends LinkName>(
  targets: Readonly<Record<Name, readonly number[]>>,
): Promise<Record<Name, NetworkLink>> {
  const names = Object.keys(targets) as Name[];
  const links = await Promise.all(
    names.map(async (name) => [name, await startNetworkLink(name, targets[name])] as const),
  );
  return Object.fromEntries(links) as Record<Name, NetworkLink>;
}

/** All links except those that lead to the load balancer. */
function innerTargets(ports: NodePorts, { postgres, temporal }: CampaignServers) {
  return {
    'requests-1': [ports.api1],
    'requests-2': [ports.api2],
    webhooks: [ports.demoOperator],
    provider: [ports.simulator],
    'postgres-api': [postgres.port],
    'postgres-worker': [postgres.port],
    'temporal-api': [temporal.port],
    'temporal-worker': [temporal.port],
  } as const satisfies Partial<Record<LinkName, readonly number[]>>;
}

function startLoadBalancer(
  { shape, run }: CampaignServers,
  ports: NodePorts,
  links: PerApiLinks,
  folder: string,
): Promise<LoadBalancer> {
  if (shape === 'cluster')
    return balanceByEdge(
      [
        { port: links['requests-1'].port, ingressPort: ports.ingress1 },
        { port: links['requests-2'].port, ingressPort: ports.ingress2 },
      ],
      run,
      folder,
    );
  return Promise.resolve(
    balanceByLinks([
      { port: ports.api1, ingressPort: ports.ingress1 },
      { port: ports.api2, ingressPort: ports.ingress2 },
    ]),
  );
}
