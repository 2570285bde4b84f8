// The environment of a fault campaign: two api, two ingresses, two workers, the provider simulator and the demo
// operator as real processes, on their own PostgreSQL and Temporal, with a network link between any two.
import { join } from 'node:path';
import pg from 'pg';
import { step } from '../../../tools/bootstrap/progress.mjs';
import { ensureSandbox, type SandboxPlaces } from '../../../tools/stack/sandbox.js';
import { callbackPaceOf } from '../../harness/callback-pace.js';
import { createTestDatabase } from '../../harness/database.js';
import { freePorts, Gateway, overPort } from '../../harness/gateway.js';
import { type Front, linkAlone, tlsEdge } from './front.js';
import { type NetworkLink, startNetworkLink } from '../../harness/network-link.js';
import type { UrlOfRole } from '../../../tools/servers/postgres-roles.js';
import type { Node } from '../../harness/node.js';
import { makeNodes, NODE_PORTS, type NodePorts, type Nodes } from './nodes.js';
import { Operator } from './operator.js';
import type { Entrance } from './requests.js';
import type { Servers } from '../../harness/servers.js';

/** How often the demo operator fetches events that no webhook brought. */
const RECOVERY_SECONDS = '5';

export const LINKS = [
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
  readonly servers: Servers;
  readonly links: Readonly<Record<LinkName, NetworkLink>>;
  /** Where operators send requests. */
  readonly entrance: Entrance;
  /** Leads requests and callbacks to the apis. */
  readonly front: Front;
  readonly apis: readonly [Node, Node];
  readonly ingresses: readonly [Node, Node];
  readonly workers: readonly [Node, Node];
  readonly allWorkers: readonly Node[];
  readonly simulator: Node;
  readonly demoOperator: Node;
  /** The operation whose webhooks the demo operator receives. */
  readonly operator: Operator;
  /** That one and those that scenarios have added. */
  readonly operators: readonly Operator[];
  /** The database directly, not over a link. */
  readonly database: pg.Pool;
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
export async function startEnvironment(servers: Servers): Promise<Environment> {
  const folder = join(servers.run.folder, `environment-${Date.now()}`);
  const ports = await freePorts(...NODE_PORTS);
  const database = await createTestDatabase(servers.postgres.superuserUrl);
  const network = await openNetwork(servers, ports, folder);
  const { links, front } = network;
  const gateway = new Gateway({
    folder,
    ports: {
      api: ports.api1,
      ingress: links.callbacks.port,
      simulator: ports.simulator,
      demoOperator: ports.demoOperator,
      workerHealth: ports.worker1,
    },
    temporal: { address: servers.temporal.address, namespace: 'default' },
    temporalLink: addressOf(links['temporal-api']),
    database,
    linked: (url, program) => overPort(url, links[program === 'worker' ? 'postgres-worker' : 'postgres-api'].port),
    variables: {
      SIMULATOR_CALLBACK_PACE: callbackPaceOf('simulator'),
      DATABASE_POOL_SIZE: '15',
      DEMO_OPERATOR_RECOVERY_SECONDS: RECOVERY_SECONDS,
      ...Object.fromEntries(
        ['simulator', 'a', 'b'].map((name) => [
          `PROVIDER_${name.toUpperCase()}_URL`,
          `http://${addressOf(links.provider)}/${name}`,
        ]),
      ),
      ...front.variables,
    },
  });
  const nodes = makeNodes(gateway, ports, {
    temporalOfWorkers: addressOf(links['temporal-worker']),
    separateWebhooks: servers.shape === 'cluster',
  });
  const pool = openPool(database.url);
  const close = async () => {
    await gateway.kill();
    await pool.end().catch(() => undefined);
    await Promise.all(Object.values(links).map((link) => link.close()));
    await database.drop().catch(() => undefined);
  };
  try {
    const { operation } = await ensureSandbox(
      sandboxPlaces(network, gateway.paths.sandbox),
      database.url,
      gateway.command,
    );
    const entrance = await front.open(links.requests.port, operation.operation_id, gateway.parsed);
    await step(`two api, two ingresses, ${nodes.allWorkers.length} workers, simulator and demo operator`, () =>
      gateway.start(),
    );
    const operator = new Operator(operation, entrance);
    const operators = [operator];
    return {
      servers,
      links,
      entrance,
      front,
      ...nodes,
      database: pool,
      urlOfRole: database.urlOfRole,
      folder,
      commonVariables: gateway.variables,
      gateway: gateway.parsed,
      close,
      operator,
      operators,
      metricsUrls: metricsUrlsOf(ports, nodes),
      newOperator: async (name, webhookUrl, ...more) => {
        const made = await gateway.createOperation(name, webhookUrl, ...more);
        const added = new Operator(made, entrance);
        operators.push(added);
        return added;
      },
      heal: () => heal(servers, network, gateway.nodes),
    };
  } catch (error) {
    await close();
    throw error;
  }
}

const addressOf = ({ port }: NetworkLink): string => `127.0.0.1:${port}`;

/** The links between all processes, and what leads requests and callbacks to the apis. */
interface Network {
  readonly links: Environment['links'];
  readonly front: Front;
}

async function openNetwork(servers: Servers, ports: NodePorts, folder: string): Promise<Network> {
  const inner = await startLinks(innerTargets(ports, servers));
  const front = await startFront(servers, ports, folder);
  return { links: { ...inner, ...(await startLinks(front.targets)) }, front };
}

function openPool(databaseUrl: string): pg.Pool {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 4 });
  // PostgreSQL is killed on purpose.
  pool.on('error', () => undefined);
  return pool;
}

function sandboxPlaces({ links, front: { tls } }: Network, file: string): SandboxPlaces {
  return {
    file,
    base_url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${links.requests.port}/v1`,
    panel_url: '',
    temporal_ui_url: '',
    webhookUrl: `http://127.0.0.1:${links.webhooks.port}/webhooks`,
    ...(tls === undefined ? {} : { tls }),
  };
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

async function heal({ postgres, temporal }: Servers, { links, front }: Network, nodes: readonly Node[]): Promise<void> {
  for (const link of Object.values(links)) link.heal();
  const edge = front.edge === null ? [] : [front.edge.server];
  await Promise.all([postgres, temporal, ...edge].map((server) => server.ready()));
  await Promise.all(nodes.map((node) => node.heal()));
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

/** All links except those that lead to the front. */
function innerTargets(ports: NodePorts, { postgres, temporal }: Servers) {
  return {
    webhooks: [ports.demoOperator],
    provider: [ports.simulator],
    'postgres-api': [postgres.port],
    'postgres-worker': [postgres.port],
    'temporal-api': [temporal.port],
    'temporal-worker': [temporal.port],
  } as const satisfies Partial<Record<LinkName, readonly number[]>>;
}

function startFront({ shape, run }: Servers, ports: NodePorts, folder: string): Promise<Front> {
  const apis = [
    { port: ports.api1, ingressPort: ports.ingress1 },
    { port: ports.api2, ingressPort: ports.ingress2 },
  ];
  return shape === 'cluster' ? tlsEdge(apis, run, folder) : Promise.resolve(linkAlone(apis));
}
