// The campaign's own PostgreSQL and Temporal, supervised: a killed server is started again.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { step } from '../../../tools/bootstrap/progress.mjs';
import { findFreePort } from '../../../tools/processes/ports.js';
import type { Service } from '../../../tools/processes/service.js';
import { TEMPORAL_ROLES, type TemporalRole } from '../../cluster/temporal-roles.js';
import { preparePostgres } from '../../../tools/servers/postgres.js';
import { prepareTemporal } from '../../../tools/servers/temporal.js';
import { ensureNamespace } from '../../../tools/servers/search-attributes.js';
import { openTestRun, type TestRun } from '../../../tools/servers/test-servers.js';
import { findFreeRolePorts, startTemporalRoles } from '../../harness/temporal-roles.js';

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

/**
 * dev: Temporal's dev server on its own file. cluster: as in production, four roles on the same PostgreSQL, with the
 * TLS edge in front of the apis (./load-balancer.ts).
 */
export const SHAPES = ['dev', 'cluster'] as const;
export type Shape = (typeof SHAPES)[number];

export interface CampaignServers {
  readonly shape: Shape;
  readonly run: TestRun;
  readonly postgres: KillableServer & { readonly superuserUrl: string };
  readonly temporal: KillableServer & { readonly address: string };
  /** Each role; none in the dev shape. */
  readonly temporalRoles: Readonly<Partial<Record<TemporalRole, KillableServer>>>;
  close(): Promise<void>;
}

export interface PostgresPlace {
  /** The folder of PostgreSQL's data; by default below the run's folder. */
  readonly postgresHome?: string;
  readonly postgresSettings?: Readonly<Record<string, string>>;
}

export async function startServers(shape: Shape = SHAPES[0], place: PostgresPlace = {}): Promise<CampaignServers> {
  const run = await openTestRun();
  try {
    const postgres = await startPostgres(run, place);
    const temporal =
      shape === 'cluster'
        ? await startRoles(run, postgres.superuserUrl)
        : { ...(await startTemporal(run)), temporalRoles: {} };
    return { shape, run, postgres, ...temporal, close: run.close };
  } catch (error) {
    await run.close();
    throw error;
  }
}

async function startPostgres(
  run: TestRun,
  { postgresHome = join(run.folder, 'postgres'), postgresSettings = {} }: PostgresPlace,
) {
  const port = await findFreePort();
  const server = preparePostgres(
    {
      environment: process.env,
      port,
      home: postgresHome,
      logFile: join(run.folder, 'postgres.log'),
      superuserPassword: randomBytes(16).toString('hex'),
      settings: { ...POSTGRES_SETTINGS, ...postgresSettings },
    },
    run.registry,
  );
  run.onClose(() => server.service.stop());
  await step(server.description, () => server.service.start());
  return { port, superuserUrl: server.superuserUrl, ...killable(server.service) };
}

async function startTemporal(run: TestRun) {
  const port = await findFreePort();
  // On disk: after a crash it must still know its workflows.
  const databaseFile = join(run.folder, 'temporal', 'temporal.db');
  const server = await prepareTemporal(
    { environment: process.env, port, uiPort: undefined, databaseFile, logFile: join(run.folder, 'temporal.log') },
    run.registry,
  );
  run.onClose(() => server.service.stop());
  await step(server.description, () => server.service.start());
  return { temporal: { port, address: server.address, ...killable(server.service) } };
}

/** Each role can be killed alone, or all four together. */
async function startRoles(run: TestRun, superuserUrl: string) {
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
  return { temporal, temporalRoles };
}

/** A supervised process as something to kill. */
export function killable(service: Service): Omit<KillableServer, 'port'> {
  return {
    kill: () => service.crash(),
    ready: (timeoutMs = 60_000) => service.untilReady(timeoutMs),
  };
}
