// What `npm run cluster` listens on, and how many processes of each kind it runs.
import { z } from 'zod';
import { ConfigurationError, readEnvironment } from '../../platform/config/environment.js';
import { PROVIDERS } from '../../platform/config/worker-slots.js';
import { TASK_QUEUES } from '../../contract/temporal/workers.js';
import { Failure } from '../../tools/bootstrap/failure.mjs';
import type { NeededPort } from '../../tools/processes/ports.js';
import type { Environment } from '../../tools/bootstrap/programs.mjs';
import { type InternalFrontend, TEMPORAL_ROLES, type TemporalPorts } from './temporal-roles.js';

const DEFAULT_PORT_BASE = 7900;
// Temporal keeps its members' ports in PostgreSQL as smallint; there are fewer than a hundred.
const HIGHEST_PORT_BASE = 32_600;
const MOST_NODES = 4;
/** Steps decide in the payment's own task if the same worker serves the rules. */
const STEPS_WITH_RULES = `${TASK_QUEUES.payments},${TASK_QUEUES.rules}`;

const schema = z.object({
  GATEWAY_CLUSTER_PORT_BASE: z.coerce
    .number('must be a port number')
    .int('must be a port number')
    .min(1_024)
    .max(HIGHEST_PORT_BASE, `must be at most ${HIGHEST_PORT_BASE}`)
    .default(DEFAULT_PORT_BASE),
  GATEWAY_CLUSTER_API_NODES: z.coerce
    .number()
    .int()
    .min(1, 'must be 1 to 4')
    .max(MOST_NODES, 'must be 1 to 4')
    .default(2),
  GATEWAY_CLUSTER_PAYMENT_WORKERS: z.coerce
    .number()
    .int()
    .min(1, 'must be 1 to 4')
    .max(MOST_NODES, 'must be 1 to 4')
    .default(2),
  LOG_LEVEL: z.string().default('info'),
});

/** A process that serves requests: an api, an ingress or the panel. */
export interface ServingNode {
  readonly name: string;
  readonly port: number;
  readonly metricsPort: number;
}

/** What is restarted together: an api and its ingress. */
export interface FrontNode {
  readonly api: ServingNode;
  readonly ingress: ServingNode;
}

export interface WorkerNode {
  readonly name: string;
  readonly queue: string;
  /** Health, and the worker's own metrics. */
  readonly healthPort: number;
  readonly sdkMetricsPort: number;
}

export interface ClusterSettings extends TemporalPorts, InternalFrontend {
  /** The TLS edge for operators, and its listener for providers' callbacks. */
  readonly edgePort: number;
  readonly edgeIngressPort: number;
  readonly simulatorPort: number;
  readonly demoOperatorPort: number;
  readonly postgresPort: number;
  readonly temporalUiPort: number;
  /** Where the UI reaches Temporal: nginx adds its token. */
  readonly temporalReadPort: number;
  readonly fronts: readonly FrontNode[];
  readonly panel: ServingNode;
  readonly workers: readonly WorkerNode[];
  readonly logLevel: string;
}

/** Throws a {@link Failure} that names the variable and what it should be. */
export function readClusterSettings(environment: Environment): ClusterSettings {
  const given = parse(environment);
  let next = given.GATEWAY_CLUSTER_PORT_BASE;
  const port = () => next++;
  const named = {
    edgePort: port(),
    edgeIngressPort: port(),
    simulatorPort: port(),
    demoOperatorPort: port(),
    postgresPort: port(),
    temporalUiPort: port(),
    temporalReadPort: port(),
  };
  const temporalPorts = Object.fromEntries(
    TEMPORAL_ROLES.map((role) => [role, { grpc: port(), membership: port(), metrics: port() }]),
  ) as ClusterSettings['temporalPorts'];
  const fronts = numbered(given.GATEWAY_CLUSTER_API_NODES).map((number) => ({
    api: { name: `api-${number}`, port: port(), metricsPort: port() },
    ingress: { name: `ingress-${number}`, port: port(), metricsPort: port() },
  }));
  const panel = { name: 'panel', port: port(), metricsPort: port() };
  const payments = numbered(given.GATEWAY_CLUSTER_PAYMENT_WORKERS).map((number) => ({
    name: `worker-payments-${number}`,
    queue: STEPS_WITH_RULES,
  }));
  const others = [
    { name: 'worker-providers', queue: `${PROVIDERS},${TASK_QUEUES.rules}` },
    { name: 'worker-rules', queue: TASK_QUEUES.rules },
    { name: 'worker-webhooks', queue: TASK_QUEUES.webhooks },
  ];
  const workers = [...payments, ...others].map((worker) => ({ ...worker, healthPort: port(), sdkMetricsPort: port() }));
  const internalFrontend = { grpc: port(), membership: port() };
  return {
    ...named,
    internalFrontend,
    temporalPorts,
    fronts,
    panel,
    workers,
    logLevel: given.LOG_LEVEL,
  };
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

function parse(environment: Environment): z.output<typeof schema> {
  try {
    return readEnvironment(schema, { ...environment });
  } catch (error) {
    if (error instanceof ConfigurationError) throw new Failure(error.message);
    throw error;
  }
}

/** Every port that the cluster listens on. */
export function clusterPorts(settings: ClusterSettings): NeededPort[] {
  const variable = 'GATEWAY_CLUSTER_PORT_BASE';
  const named: [string, number][] = [
    ['the TLS edge', settings.edgePort],
    ["the edge's callbacks", settings.edgeIngressPort],
    ['the provider simulator', settings.simulatorPort],
    ['the demo operator', settings.demoOperatorPort],
    ["Temporal's UI", settings.temporalUiPort],
    ["Temporal's reads", settings.temporalReadPort],
    ["Temporal's internal frontend", settings.internalFrontend.grpc],
    ["Temporal's internal frontend", settings.internalFrontend.membership],
    ['PostgreSQL', settings.postgresPort],
    ...Object.entries(settings.temporalPorts).flatMap(([role, ports]) =>
      Object.values(ports).map((port): [string, number] => [`Temporal's ${role} role`, port]),
    ),
    ...[...settings.fronts.flatMap(({ api, ingress }) => [api, ingress]), settings.panel].flatMap(
      ({ name, port, metricsPort }): [string, number][] => [
        [name, port],
        [`${name}'s metrics`, metricsPort],
      ],
    ),
    ...settings.workers.flatMap((worker): [string, number][] => [
      [worker.name, worker.healthPort],
      [`${worker.name}'s Temporal SDK`, worker.sdkMetricsPort],
    ]),
  ];
  return named.map(([purpose, port]) => ({ purpose, port, variable }));
}

/** One entry of Prometheus' file_sd_configs. */
export interface MetricsTargets {
  readonly targets: readonly string[];
  readonly labels: { readonly job: string };
}

/** Where every process of the cluster serves metrics, by the jobs that ops/alerts.yml expects. */
export function metricsTargets({ fronts, panel, simulatorPort, workers }: ClusterSettings): MetricsTargets[] {
  const target = (job: string, ports: readonly number[]) => ({
    targets: ports.map((port) => `127.0.0.1:${port}`),
    labels: { job },
  });
  return [
    target(
      'gateway-api',
      fronts.map(({ api }) => api.metricsPort),
    ),
    target(
      'gateway-ingress',
      fronts.map(({ ingress }) => ingress.metricsPort),
    ),
    target('gateway-panel', [panel.metricsPort]),
    target(
      'gateway-worker',
      workers.map(({ healthPort }) => healthPort),
    ),
    target(
      'gateway-temporal-sdk',
      workers.map(({ sdkMetricsPort }) => sdkMetricsPort),
    ),
    target('gateway-simulator', [simulatorPort]),
  ];
}
