// Who can be killed in a campaign, and comes back.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Field } from './field/field.js';
import type { Node } from './field/node.js';
import type { KillableServer } from './field/servers.js';

export interface Casualty {
  readonly name: string;
  /** SIGKILL at once; resolves when it is up again. */
  strike(field: Field): Promise<void>;
}

/** How long a process of ours is away: long enough to be missed. */
const AWAY_MS = 1_500;

export const CASUALTIES: readonly Casualty[] = [
  { name: 'PostgreSQL', strike: ({ servers }) => killServer(servers.postgres) },
  { name: 'Temporal', strike: ({ servers }) => killServer(servers.temporal) },
  { name: 'the simulator', strike: ({ simulator }) => killNodes(simulator) },
  { name: 'both workers', strike: ({ workers }) => killNodes(...workers) },
  { name: 'both apis', strike: ({ apis }) => killNodes(...apis) },
];

/** All that are on no disk: Postgres has what it was given, and Temporal what its store was given. */
export const POWER_CUT: Casualty = {
  name: 'apis, workers and Temporal',
  strike: async ({ servers, apis, workers }) => {
    await Promise.all([killServer(servers.temporal), killNodes(...apis, ...workers)]);
  },
};

/** Those that leave another of their kind running. */
export const HALF_CASUALTIES: readonly Casualty[] = [
  { name: 'one worker', strike: ({ workers }) => killNodes(workers[0]) },
  { name: 'one api', strike: ({ apis }) => killNodes(apis[0]) },
  { name: 'the demo operator', strike: ({ demoOperator }) => killNodes(demoOperator) },
];

/** Production runs Temporal as four roles, each of which may die alone. */
export const TEMPORAL_CASUALTIES: readonly Casualty[] = (['frontend', 'history', 'matching', 'worker'] as const).map(
  (role) => ({
    name: `Temporal's ${role} role`,
    strike: ({ servers }) => killServer(servers.temporalRoles[role]),
  }),
);

/** nginx in front of the apis: whoever had a request on its way hears nothing. */
export const EDGE: Casualty = {
  name: 'the TLS edge',
  strike: async ({ front }) => {
    await Promise.all((front.edge?.servers ?? [undefined]).map(killServer));
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

/** A strike that is begun now and waited for later, whatever comes of it meanwhile. */
export function begin(casualty: Casualty, field: Field): { over(): Promise<void> } {
  const outcome = casualty.strike(field).then(
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
