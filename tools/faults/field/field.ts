// What a campaign is played on: real processes (two api, two workers, the provider simulator, the demo operator) on their own PostgreSQL and
// Temporal, with a link of our own between any two of them.
import { join } from 'node:path';
import pg from 'pg';
import { demoOperatorControl, type DemoOperatorControl } from '../../../sandbox/demo-operator/control-client.js';
import { step } from '../../bootstrap/progress.mjs';
import { findFreePort } from '../../processes/ports.js';
import { gatewayCommand } from '../../stack/gateway-command.js';
import { pathsBelow } from '../../stack/paths.js';
import { ensureSandbox } from '../../stack/sandbox.js';
import { createTestDatabase } from '../../harness/database.js';
import type { ProvisionedOperation } from '../../harness/stack.js';
import { type FailpointDesk, startFailpointDesk } from './failpoint-desk.js';
import { type Entrances, type Front, openEdgeFront, openFront, type PerApiLinks } from './front.js';
import { type NetworkLink, startNetworkLink } from '../../harness/network-link.js';
import type { Node } from './node.js';
import { makeNodes, NODE_PORTS, type NodePorts } from './nodes.js';
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

export interface Field {
  readonly servers: CampaignServers;
  readonly links: Readonly<Record<LinkName, NetworkLink>>;
  /** Where operators' requests go. */
  readonly entrances: Entrances;
  /** What leads them to the apis. */
  readonly front: Front;
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
  const ports = await freePorts(...NODE_PORTS);
  const database = await createTestDatabase(servers.postgres.superuserUrl);
  const desk = await startFailpointDesk();
  const inner = await startLinks(innerTargets(ports, servers));
  const front = await startFront(servers, ports, inner, folder);
  const links: Field['links'] = { ...inner, ...(await startLinks(front.targets)) };
  const nodes = makeNodes({
    ports,
    links,
    desk,
    databaseUrl: database.url,
    variables: front.variables,
    paths,
    registry: servers.run.registry,
  });
  const command = gatewayCommand({
    ...nodes.environment,
    DATABASE_URL: database.url,
    TEMPORAL_ADDRESS: servers.temporal.address,
  });
  const gateway = async (...args: string[]) => {
    const { code, stdout, stderr } = await command(args);
    if (code !== 0)
      throw new Error(`gateway ${args[0] ?? ''} ${args[1] ?? ''} ended with ${code}: ${stderr.slice(0, 500)}`);
    return JSON.parse(stdout) as Record<string, unknown>;
  };
  const pool = new pg.Pool({ connectionString: database.url, max: 4 });
  pool.on('error', () => undefined);
  const close = async () => {
    await Promise.all(nodes.all.map((one) => one.kill()));
    await pool.end().catch(() => undefined);
    await Promise.all(Object.values(links).map((link) => link.close()));
    await desk.close();
    await database.drop().catch(() => undefined);
  };
  try {
    const base = `${front.tls === undefined ? 'http' : 'https'}://127.0.0.1:${links.requests.port}/v1`;
    const places = {
      file: paths.sandbox,
      base_url: base,
      panel_url: '',
      temporal_ui_url: '',
      webhookUrl: `http://127.0.0.1:${links.webhooks.port}/webhooks`,
      ...(front.tls === undefined ? {} : { tls: front.tls }),
    };
    const { operation } = await ensureSandbox(places, database.url, command);
    const entrances = await front.open(links, operation.operation_id, gateway);
    await step('two api, two workers, simulator and demo operator', () =>
      Promise.all(nodes.all.map((one) => one.start())),
    );
    const demoBooks = demoOperatorControl(nodes.demoOperator.url);
    const operator = new Operator(operation, entrances.perApi, demoBooks);
    const operators = [operator];
    return {
      servers,
      links,
      entrances,
      front,
      desk,
      leftOpen: new Set(),
      ...nodes,
      demoBooks,
      database: pool,
      folder,
      gateway,
      close,
      operator,
      operators,
      metricsUrls: [ports.metrics1, ports.metrics2, ports.worker1, ports.worker2, ports.simulator].map(
        (port) => `http://127.0.0.1:${port}/metrics`,
      ),
      newOperator: async (name, webhookUrl, ...more) => {
        const created = await gateway(
          'operation',
          'create',
          '--name',
          name,
          '--environment',
          'sandbox',
          '--provider',
          'simulator',
          '--webhook-url',
          webhookUrl,
          ...more,
        );
        const another = new Operator(created as unknown as ProvisionedOperation, entrances.perApi, null);
        operators.push(another);
        return another;
      },
      heal: async () => {
        desk.clear();
        for (const link of Object.values(links)) link.heal();
        await Promise.all(
          [servers.postgres, servers.temporal, ...(front.edge?.servers ?? [])].map((server) => server.ready()),
        );
        await Promise.all(nodes.all.map((one) => one.heal()));
        front.direct([0, 1]);
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
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

/** All but those that lead to the front. */
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

function startFront(
  { shape, run }: CampaignServers,
  ports: NodePorts,
  links: PerApiLinks,
  folder: string,
): Promise<Front> {
  if (shape === 'cluster')
    return openEdgeFront(
      [
        { port: links['requests-1'].port, ingressPort: ports.ingress1 },
        { port: links['requests-2'].port, ingressPort: ports.ingress2 },
      ],
      run,
      folder,
    );
  return Promise.resolve(
    openFront([
      { port: ports.api1, ingressPort: ports.ingress1 },
      { port: ports.api2, ingressPort: ports.ingress2 },
    ]),
  );
}
