// PostgreSQL and Temporal of a campaign or a benchmark, supervised: a killed server is started again.
import { join } from 'node:path';
import { TEMPORAL_ROLES, type TemporalRole } from '../cluster/temporal-roles.js';
import type { Service } from '../../tools/processes/service.js';
import { ensureNamespace } from '../../tools/servers/search-attributes.js';
import { openTestRun, startDevServer, startPostgres, type TestRun } from '../../tools/servers/test-servers.js';
import { findFreeRolePorts, startTemporalRoles } from './temporal-roles.js';

const NAMESPACE = 'default';
// Processes are killed, power is not cut: without fsync every commit still reaches the operating system.
const POSTGRES_SETTINGS = { fsync: 'off', full_page_writes: 'off', max_connections: '300' };

/** A server that can be killed; supervision starts it again after half a second, and later each time. */
export interface KillableServer {
  readonly port: number;
  kill(): void;
  /** Resolves once it can be used. */
  ready(timeoutMs?: number): Promise<void>;
}

/** dev: Temporal's dev server on its own file. cluster: as in production, four roles on the same PostgreSQL. */
export const SHAPES = ['dev', 'cluster'] as const;
export type Shape = (typeof SHAPES)[number];

export interface StartedTemporal {
  readonly temporal: KillableServer & { readonly address: string };
  /** Each role; none in the dev shape. */
  readonly temporalRoles: Readonly<Partial<Record<TemporalRole, KillableServer>>>;
  /** Where the roles serve their metrics; none in the dev shape. */
  readonly temporalMetricsUrls: readonly string[];
}

export interface Servers extends StartedTemporal {
  readonly shape: Shape;
  readonly run: TestRun;
  readonly postgres: KillableServer & { readonly superuserUrl: string };
  close(): Promise<void>;
}

/** Where PostgreSQL keeps its data, and further settings of it. */
export interface OwnPostgres {
  readonly home?: string;
  readonly settings?: Readonly<Record<string, string>>;
}

export async function startServers(
  shape: Shape = SHAPES[0],
  { settings, ...place }: OwnPostgres = {},
): Promise<Servers> {
  const run = await openTestRun();
  try {
    const server = await startPostgres(run, { ...place, settings: { ...POSTGRES_SETTINGS, ...settings } });
    const postgres = { port: server.port, superuserUrl: server.superuserUrl, ...killable(server.service) };
    return { shape, run, postgres, ...(await startTemporal(run, shape, server.superuserUrl)), close: run.close };
  } catch (error) {
    await run.close();
    throw error;
  }
}

/** Both kinds keep their workflows on disk: that is what commits cost, and after a crash they must still know them. */
export async function startTemporal(run: TestRun, shape: Shape, superuserUrl: string): Promise<StartedTemporal> {
  if (shape === 'cluster') return startRoles(run, superuserUrl);
  const { address, service } = await startDevServer(run, join(run.folder, 'temporal', 'temporal.db'));
  const temporal = { port: Number(address.split(':')[1]), address, ...killable(service) };
  return { temporal, temporalRoles: {}, temporalMetricsUrls: [] };
}

/** Each role can be killed alone, or all four together. */
async function startRoles(run: TestRun, superuserUrl: string): Promise<StartedTemporal> {
  const ports = await findFreeRolePorts();
  const { address, services } = await startTemporalRoles(run, ports, superuserUrl);
  await ensureNamespace({ address }, NAMESPACE);
  const temporalRoles = Object.fromEntries(
    TEMPORAL_ROLES.map((role) => [role, { port: ports.temporalPorts[role].grpc, ...killable(services[role]) }]),
  );
  const all = Object.values(temporalRoles);
  const temporal = {
    port: ports.temporalPorts.frontend.grpc,
    address,
    kill: () => all.forEach((role) => role.kill()),
    ready: async (timeoutMs?: number) => void (await Promise.all(all.map((role) => role.ready(timeoutMs)))),
  };
  const temporalMetricsUrls = Object.values(ports.temporalPorts).map(
    ({ metrics }) => `http://127.0.0.1:${metrics}/metrics`,
  );
  return { temporal, temporalRoles, temporalMetricsUrls };
}

/** A supervised process as something to kill. */
export function killable(service: Service): Omit<KillableServer, 'port'> {
  return {
    kill: () => service.crash(),
    ready: (timeoutMs = 60_000) => service.untilReady(timeoutMs),
  };
}
