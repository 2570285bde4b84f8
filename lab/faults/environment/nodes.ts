// The gateway's processes in a campaign: two of each.
import { ALL_TASK_QUEUES, TASK_QUEUES } from '../../../contract/temporal/workers.js';
import type { Gateway } from '../../harness/gateway.js';
import type { Node } from '../../harness/node.js';

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
  readonly allWorkers: readonly Node[];
  readonly simulator: Node;
  readonly demoOperator: Node;
}

/**
 * None of them is started. `temporalOfWorkers`: where workers reach it. `separateWebhooks`: webhooks are delivered by
 * workers of their own, as in production.
 */
export function makeNodes(
  gateway: Gateway,
  ports: NodePorts,
  { temporalOfWorkers, separateWebhooks }: { readonly temporalOfWorkers: string; readonly separateWebhooks: boolean },
): Nodes {
  const api = (number: 1 | 2) =>
    gateway.node(`api-${number}`, 'api', ports[`api${number}`], {
      API_PORT: String(ports[`api${number}`]),
      API_METRICS_PORT: String(ports[`metrics${number}`]),
    });
  const ingress = (number: 1 | 2) =>
    gateway.node(`ingress-${number}`, 'ingress', ports[`ingress${number}`], {
      INGRESS_PORT: String(ports[`ingress${number}`]),
      INGRESS_METRICS_PORT: String(ports[`ingressMetrics${number}`]),
      DATABASE_POOL_SIZE: '4',
    });
  const worker = (name: string, port: number, queues: readonly string[]) =>
    gateway.node(name, 'worker', port, {
      TEMPORAL_ADDRESS: temporalOfWorkers,
      WORKER_HEALTH_PORT: String(port),
      WORKER_TASK_QUEUES: queues.join(),
    });
  const queues = separateWebhooks ? ALL_TASK_QUEUES.filter((queue) => queue !== TASK_QUEUES.webhooks) : ALL_TASK_QUEUES;
  const simulator = gateway.node('simulator', 'sandbox/simulator', ports.simulator);
  const workers = [worker('worker-1', ports.worker1, queues), worker('worker-2', ports.worker2, queues)] as const;
  const ofWebhooks = [
    ['webhook-worker-1', ports.webhookWorker1],
    ['webhook-worker-2', ports.webhookWorker2],
  ] as const;
  const webhookWorkers = (separateWebhooks ? ofWebhooks : []).map(([name, port]) =>
    worker(name, port, [TASK_QUEUES.webhooks]),
  );
  return {
    apis: [api(1), api(2)],
    ingresses: [ingress(1), ingress(2)],
    workers,
    allWorkers: [...workers, ...webhookWorkers],
    simulator,
    demoOperator: gateway.node('demo-operator', 'sandbox/demo-operator', ports.demoOperator),
  };
}
