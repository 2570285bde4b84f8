// PostgreSQL and Temporal of a campaign: its own, kept up by supervision, so that one that is killed comes back.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { step } from '../../dev/bootstrap/progress.mjs';
import { findFreePort } from '../../dev/processes/ports.js';
import type { Service } from '../../dev/processes/service.js';
import { preparePostgres } from '../../dev/servers/postgres.js';
import { prepareTemporal } from '../../dev/servers/temporal.js';
import { openTestRun, type TestRun } from '../../dev/test-run/servers.js';

// Processes are killed here, power is not cut: what was written stays, so fsync may rest, and every commit is still written.
const POSTGRES_SETTINGS = { fsync: 'off', full_page_writes: 'off', max_connections: '300' };

/** A server that can be killed; supervision starts it again after half a second, and later each time. */
export interface KillableServer {
  readonly port: number;
  kill(): void;
  /** Resolves once it can be used. */
  ready(timeoutMs?: number): Promise<void>;
}

export interface CampaignServers {
  readonly run: TestRun;
  readonly postgres: KillableServer & { readonly superuserUrl: string };
  readonly temporal: KillableServer & { readonly address: string };
  close(): Promise<void>;
}

export async function startServers(): Promise<CampaignServers> {
  const run = await openTestRun();
  try {
    const [postgres, temporal] = await Promise.all([startPostgres(run), startTemporal(run)]);
    return { run, postgres, temporal, close: run.close };
  } catch (error) {
    await run.close();
    throw error;
  }
}

async function startPostgres(run: TestRun) {
  const port = await findFreePort();
  const server = preparePostgres(
    { environment: process.env, port, home: join(run.folder, 'postgres'), logFile: join(run.folder, 'postgres.log'), superuserPassword: randomBytes(16).toString('hex'), settings: POSTGRES_SETTINGS },
    run.registry,
  );
  run.onClose(() => server.service.stop());
  await step(server.description, () => server.service.start());
  return { port, superuserUrl: server.superuserUrl, ...killable(server.service) };
}

async function startTemporal(run: TestRun) {
  const port = await findFreePort();
  // On disk: it is killed, and has to come back with what it knew.
  const databaseFile = join(run.folder, 'temporal', 'temporal.db');
  const server = await prepareTemporal({ environment: process.env, port, uiPort: undefined, databaseFile, logFile: join(run.folder, 'temporal.log') }, run.registry);
  run.onClose(() => server.service.stop());
  await step(server.description, () => server.service.start());
  return { port, address: server.address, ...killable(server.service) };
}

function killable(service: Service): Omit<KillableServer, 'port'> {
  return {
    kill: () => {
      if (service.pid !== undefined) process.kill(-service.pid, 'SIGKILL');
    },
    ready: (timeoutMs = 60_000) => service.untilReady(timeoutMs),
  };
}
