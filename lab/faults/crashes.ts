// The crashes that a campaign injects: which processes are killed with SIGKILL and started again.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from './environment/environment.js';
import type { Node } from '../harness/node.js';
import type { KillableServer } from '../harness/servers.js';

export interface Crash {
  readonly name: string;
  /** Kills at once; resolves when the processes are up again. */
  inject(environment: Environment): Promise<void>;
}

/** How long a gateway process is down: long enough for others to notice. */
const AWAY_MS = 1_500;

export const CRASHES: readonly Crash[] = [
  { name: 'PostgreSQL', inject: ({ servers }) => killServer(servers.postgres) },
  { name: 'Temporal', inject: ({ servers }) => killServer(servers.temporal) },
  { name: 'the simulator', inject: ({ simulator }) => killNodes(simulator) },
  { name: 'both workers', inject: ({ workers }) => killNodes(...workers) },
  { name: 'both apis', inject: ({ apis }) => killNodes(...apis) },
  { name: 'both ingresses', inject: ({ ingresses }) => killNodes(...ingresses) },
  { name: 'the demo operator', inject: ({ demoOperator }) => killNodes(demoOperator) },
];

/** Everything that keeps state in memory. PostgreSQL and Temporal's store keep what they have stored. */
export const POWER_CUT: Crash = {
  name: 'apis, ingresses, workers and Temporal at once',
  inject: async ({ servers, apis, ingresses, allWorkers }) => {
    await Promise.all([killServer(servers.temporal), killNodes(...apis, ...ingresses, ...allWorkers)]);
  },
};

/** Production runs Temporal as four roles; each can crash alone. */
export const TEMPORAL_CRASHES: readonly Crash[] = (['frontend', 'history', 'matching', 'worker'] as const).map(
  (role) => ({
    name: `Temporal's ${role} role`,
    inject: ({ servers }) => killServer(servers.temporalRoles[role]),
  }),
);

/** nginx in front of the apis: requests under way get no answer. */
export const EDGE_CRASH: Crash = {
  name: 'the TLS edge',
  inject: async ({ loadBalancer }) => {
    await Promise.all((loadBalancer.edge?.servers ?? [undefined]).map(killServer));
  },
};

async function killServer(server: KillableServer | undefined): Promise<void> {
  if (server === undefined) throw new Error('these servers have no such process');
  server.kill();
  await sleep(100);
  await server.ready();
}

async function killNodes(...nodes: readonly Node[]): Promise<void> {
  await Promise.all(nodes.map((node) => node.kill()));
  await sleep(AWAY_MS);
  await Promise.all(nodes.map((node) => node.start()));
}

/** Injects a crash now; `over` waits for its end later and throws what went wrong. */
export function begin(crash: Crash, environment: Environment): { over(): Promise<void> } {
  const outcome = crash.inject(environment).then(
    () => null,
    (error: unknown) => error,
  );
  return {
    over: async () => {
      const error = await outcome;
      if (error !== null) throw error;
    },
  };
}
