// The gateway's processes in a campaign: two apis, two ingresses and two workers, each connected to its servers by
// network links.
import { ALL_TASK_QUEUES, TASK_QUEUES } from '../../../contract/temporal/task-queues.js';
import { callbackPaceOf } from '../../harness/callback-pace.js';
import type { ProcessRegistry } from '../../../tools/processes/registry.js';
import { stackEnvironment } from '../../../tools/stack/environment.js';
import type { StackPaths } from '../../../tools/stack/paths.js';
import { ensureSecrets } from '../../../tools/stack/secrets.js';
import type { ProgramName } from '../../../tools/servers/programs.js';
import type { NetworkLink } from '../../harness/network-link.js';
import type { UrlOfRole } from '../../../tools/servers/postgres-roles.js';
import { Node } from './node.js';

export const NODE_PORTS = [
  'api1',
  'api2',
  'ingress1',
  'ingress2',
  'metrics1',
  'metrics2',
  'ingressMetrics1',
  'ingressMetrics2',
  'worker1',
  'worker2',
  'webhookWorker1',
  'webhookWorker2',
  'simulator',
  'demoOperator',
] as const;
export type NodePorts = Readonly<Record<(typeof NODE_PORTS)[number], number>>;

export interface Nodes {
  readonly apis: readonly [Node, Node];
  readonly ingresses: readonly [Node, Node];
  readonly workers: readonly [Node, Node];
  /** Those that deliver webhooks: the same, or two of their own. */
  readonly webhookWorkers: readonly [Node, Node];
  readonly allWorkers: readonly Node[];
  readonly simulator: Node;
  readonly demoOperator: Node;
  readonly all: readonly Node[];
  /** The variables of every process, for one more process. */
  readonly commonVariables: Readonly<Record<string, string>>;
}

export interface NodeSurroundings {
  readonly ports: NodePorts;
  readonly links: Readonly<
    Record<
      'callbacks' | 'provider' | 'postgres-api' | 'postgres-worker' | 'temporal-api' | 'temporal-worker',
      NetworkLink
    >
  >;
  /** The owner's, for what is not a node. */
  readonly databaseUrl: string;
  readonly urlOfRole: UrlOfRole;
  /** For every process, in addition to a stack's. */
  readonly variables: Readonly<Record<string, string>>;
  /** Whether webhooks are delivered by workers of their own, as in production. */
  readonly separateWebhooks: boolean;
  readonly paths: StackPaths;
  readonly registry: ProcessRegistry;
}

/** How often the demo operator fetches events that no webhook brought. */
const RECOVERY_SECONDS = '5';

/** None of them is started. */
export function makeNodes({
  ports,
  links,
  databaseUrl,
  urlOfRole,
  variables,
  separateWebhooks,
  paths,
  registry,
}: NodeSurroundings): Nodes {
  const commonVariables = {
    ...stackEnvironment(
      {
        ports: {
          api: ports.api1,
          ingress: links.callbacks.port,
          simulator: ports.simulator,
          demoOperator: ports.demoOperator,
          workerHealth: ports.worker1,
        },
        temporalNamespace: 'default',
        docsUrl: undefined,
        logLevel: 'info',
        dialects: {},
      },
      { databaseUrl: overLink(databaseUrl, links['postgres-api']), temporalAddress: addressOf(links['temporal-api']) },
      ensureSecrets(paths.secrets, paths.postgres),
      paths,
    ),
    SIMULATOR_CALLBACK_PACE: callbackPaceOf('simulator'),
    DATABASE_POOL_SIZE: '15',
    DEMO_OPERATOR_RECOVERY_SECONDS: RECOVERY_SECONDS,
    ...Object.fromEntries(
      ['simulator', 'a', 'b'].map((name) => [
        `PROVIDER_${name.toUpperCase()}_URL`,
        `http://${addressOf(links.provider)}/${name}`,
      ]),
    ),
    ...variables,
  };
  const node = (name: string, program: ProgramName, port: number, own: Readonly<Record<string, string>> = {}) =>
    new Node({
      name,
      program,
      environment: { ...commonVariables, ...own },
      port,
      urlOfRole: (role) => overLink(urlOfRole(role), links[program === 'worker' ? 'postgres-worker' : 'postgres-api']),
      logFile: paths.logFileOf(name),
      registry,
    });
  const api = (number: 1 | 2) =>
    node(`api-${number}`, 'api', ports[`api${number}`], {
      API_PORT: String(ports[`api${number}`]),
      API_METRICS_PORT: String(ports[`metrics${number}`]),
    });
  const ingress = (number: 1 | 2) =>
    node(`ingress-${number}`, 'ingress', ports[`ingress${number}`], {
      INGRESS_PORT: String(ports[`ingress${number}`]),
      INGRESS_METRICS_PORT: String(ports[`ingressMetrics${number}`]),
      DATABASE_POOL_SIZE: '4',
    });
  const ofWorker = {
    TEMPORAL_ADDRESS: addressOf(links['temporal-worker']),
  };
  const worker = (name: string, port: number, queues: readonly string[]) =>
    node(name, 'worker', port, {
      ...ofWorker,
      WORKER_HEALTH_PORT: String(port),
      WORKER_TASK_QUEUES: queues.join(),
    });
  const queues = separateWebhooks ? ALL_TASK_QUEUES.filter((queue) => queue !== TASK_QUEUES.webhooks) : ALL_TASK_QUEUES;
  const [apis, ingresses, workers] = [
    [api(1), api(2)],
    [ingress(1), ingress(2)],
    [worker('worker-1', ports.worker1, queues), worker('worker-2', ports.worker2, queues)],
  ] as const;
  const webhookWorkers = separateWebhooks
    ? ([
        worker('webhook-worker-1', ports.webhookWorker1, [TASK_QUEUES.webhooks]),
        worker('webhook-worker-2', ports.webhookWorker2, [TASK_QUEUES.webhooks]),
      ] as const)
    : workers;
  const allWorkers = [...new Set([...workers, ...webhookWorkers])];
  const simulator = node('simulator', 'sandbox/simulator', ports.simulator);
  const demoOperator = node('demo-operator', 'sandbox/demo-operator', ports.demoOperator);
  return {
    apis,
    ingresses,
    workers,
    webhookWorkers,
    allWorkers,
    simulator,
    demoOperator,
    all: [simulator, ...allWorkers, ...apis, ...ingresses, demoOperator],
    commonVariables,
  };
}

const addressOf = ({ port }: NetworkLink): string => `127.0.0.1:${port}`;

function overLink(url: string, { port }: NetworkLink): string {
  const changed = new URL(url);
  changed.hostname = '127.0.0.1';
  changed.port = String(port);
  return changed.toString();
}
