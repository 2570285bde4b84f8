// Temporal's four roles, each in its own process, on PostgreSQL, and the UI: the shape of production.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { stringify } from 'yaml';
import { Failure } from '../../tools/bootstrap/failure.mjs';
import { runCommand } from '../../tools/bootstrap/run-command.mjs';
import type { ProcessRegistry } from '../../tools/processes/registry.js';
import { answersOk, Service } from '../../tools/processes/service.js';
import type { TemporalPrograms } from './temporal-server.js';
import type { ClusterSettings } from './settings.js';
import { connectTemporal } from '../../platform/temporal/connection.js';
import { frontendTls, serverFor, serverVariables, type TemporalAccess } from './temporal-access.js';
import { type InternalFrontend, TEMPORAL_ROLES, type TemporalPorts, type TemporalRole } from './temporal-roles.js';

/** Needs none of the others to be ready. */
const FIRST_ROLE: TemporalRole = 'history';

export interface TemporalDatabase {
  readonly name: string;
  readonly password: string;
}
export interface TemporalDatabases {
  readonly port: number;
  readonly main: TemporalDatabase;
  readonly visibility: TemporalDatabase;
}

// Fixed by a cluster's first start. Enough for one machine; docs/scaling.md says how many production needs.
const HISTORY_SHARDS = 4;
const READY_TIMEOUT_MS = 90_000;
const STOP_TIMEOUT_MS = 15_000;
const SCHEMA_TIMEOUT_MS = 120_000;
const HOST = '127.0.0.1';
const INTERNAL_FRONTEND = 'internal-frontend';

/** Makes both schemas, or brings them up to date. */
export async function deployTemporalSchema(
  programs: TemporalPrograms,
  { port, main, visibility }: TemporalDatabases,
  logFile: string,
): Promise<void> {
  for (const [database, schema] of [
    [main, programs.schemas.main],
    [visibility, programs.schemas.visibility],
  ] as const) {
    const run = (...args: string[]) => runSqlTool(programs, port, database, logFile, args);
    if (!(await hasSchema(port, database))) await run('setup-schema', '--version', '0.0');
    await run('update-schema', '--schema-dir', schema);
  }
}

async function runSqlTool(
  { sqlTool }: TemporalPrograms,
  port: number,
  { name, password }: TemporalDatabase,
  logFile: string,
  args: string[],
): Promise<void> {
  const { code } = await runCommand(
    sqlTool,
    ['--plugin', 'postgres12', '--endpoint', HOST, '--port', String(port), '--user', name, '--database', name, ...args],
    {
      logFile,
      timeoutMs: SCHEMA_TIMEOUT_MS,
      env: { SQL_PASSWORD: password },
    },
  );
  if (code !== 0) throw new Failure(`Temporal's schema could not be set up in the database ${name}`, logFile);
}

async function hasSchema(port: number, database: TemporalDatabase): Promise<boolean> {
  return (await ask(port, database, `SELECT FROM to_regclass('schema_version') AS found WHERE found IS NOT NULL`)) > 0;
}

/** How many rows the statement answers. */
async function ask(port: number, { name, password }: TemporalDatabase, statement: string): Promise<number> {
  const place = { host: HOST, port, user: name, password, database: name };
  const client = new pg.Client({ ...place, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    return (await client.query(statement)).rowCount ?? 0;
  } finally {
    await client.end();
  }
}

/** A server that knows its callers; without this it is open to everybody on the machine. */
export interface Guard extends InternalFrontend {
  readonly access: TemporalAccess;
}

/** The services of the four roles. The frontend answers once the others do. */
export function temporalServices(
  programs: TemporalPrograms,
  settings: TemporalPorts,
  databases: TemporalDatabases,
  folder: string,
  logFileOf: (name: string) => string,
  registry: ProcessRegistry,
  guard?: Guard,
): Service[] {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, 'dynamic.yaml'), stringify(DYNAMIC_CONFIG));
  return TEMPORAL_ROLES.map((role) => {
    writeFileSync(join(folder, `${role}.yaml`), stringify(serverConfig(role, settings, databases, folder, guard)), {
      mode: 0o600,
    });
    const name = `temporal-${role}`;
    return new Service(
      {
        process: {
          name,
          command: programs.server,
          args: ['--root', folder, '--config', '.', '--env', role, ...argumentsOf(role, guard)],
          env: { ...process.env, ...(guard === undefined ? {} : serverVariables(guard.access)) },
          cwd: folder,
          logFile: logFileOf(name),
          stopSignal: 'SIGTERM',
          stopTimeoutMs: STOP_TIMEOUT_MS,
        },
        isReady: async () => {
          if (role === 'frontend') return isHealthy(addressOf(settings), guard);
          const serves = await answersOk(`http://${HOST}:${settings.temporalPorts[role].metrics}/metrics`);
          return serves && (role !== FIRST_ROLE || (await isRecorded(databases)));
        },
        readyTimeoutMs: READY_TIMEOUT_MS,
      },
      registry,
    );
  });
}

function argumentsOf(role: TemporalRole, guard: Guard | undefined): string[] {
  if (guard === undefined) return ['--open', 'start', '--service', role];
  return ['start', '--service', role, ...(role === 'frontend' ? ['--service', INTERNAL_FRONTEND] : [])];
}

/**
 * The order of starts on an empty database: each role writes the cluster's record, and of two that write at once one
 * fails.
 */
export function startOrder(services: readonly Service[]): readonly (readonly Service[])[] {
  const first = TEMPORAL_ROLES.indexOf(FIRST_ROLE);
  return [services.slice(first, first + 1), services.filter((_, index) => index !== first)];
}

/** Whether the cluster's record is written. */
async function isRecorded({ port, main }: TemporalDatabases): Promise<boolean> {
  return (await ask(port, main, 'SELECT FROM cluster_metadata_info')) > 0;
}

export const addressOf = (settings: TemporalPorts) => `${HOST}:${settings.temporalPorts.frontend.grpc}`;

async function isHealthy(address: string, guard: Guard | undefined): Promise<boolean> {
  // The UI may list namespaces.
  const server = guard === undefined ? { address } : serverFor(guard.access, 'ui', address);
  const connection = await connectTemporal(server, 2_000);
  try {
    // Answers only once the frontend reaches the history role.
    await connection.workflowService.listNamespaces({ pageSize: 1 });
    return true;
  } finally {
    await connection.close();
  }
}

/** The configuration of the UI for operations staff: it reads, and its server refuses everything else. */
export function uiConfig(temporalGrpcAddress: string, port: number) {
  return {
    temporalGrpcAddress,
    host: HOST,
    port,
    enableUi: true,
    defaultNamespace: 'default',
    notifyOnNewVersion: false,
    disableWriteActions: true,
    cors: { allowOrigins: [`http://${HOST}:${port}`] },
  };
}

/** The UI for operations staff. */
export function temporalUiService(
  programs: TemporalPrograms,
  settings: ClusterSettings,
  folder: string,
  logFile: string,
  registry: ProcessRegistry,
): Service {
  mkdirSync(folder, { recursive: true });
  const reads = `${HOST}:${settings.temporalReadPort}`;
  writeFileSync(join(folder, 'ui.yaml'), stringify(uiConfig(reads, settings.temporalUiPort)));
  return new Service(
    {
      process: {
        name: 'temporal-ui',
        command: programs.ui,
        args: ['--root', folder, '--config', '.', '--env', 'ui', 'start'],
        env: { ...process.env },
        cwd: folder,
        logFile,
        stopSignal: 'SIGTERM',
        stopTimeoutMs: STOP_TIMEOUT_MS,
      },
      isReady: () => answersOk(`http://${HOST}:${settings.temporalUiPort}/healthz`),
      readyTimeoutMs: READY_TIMEOUT_MS,
    },
    registry,
  );
}

const DYNAMIC_CONFIG = {
  // One machine: several partitions of a task queue only add seconds now and then.
  'matching.numTaskqueueReadPartitions': [{ value: 1 }],
  'matching.numTaskqueueWritePartitions': [{ value: 1 }],
  // Minutes by default: how long the index may lag behind before a build without open workflows counts as drained.
  'matching.wv.VersionDrainageStatusVisibilityGracePeriod': [{ value: '5s' }],
  'matching.wv.VersionDrainageStatusRefreshInterval': [{ value: '5s' }],
  'frontend.namespaceRPS': [{ value: 20_000 }],
  'frontend.namespaceRPS.visibility': [{ value: 500 }],
};

function serverConfig(
  role: TemporalRole,
  { temporalPorts }: TemporalPorts,
  { port, main, visibility }: TemporalDatabases,
  folder: string,
  guard: Guard | undefined,
) {
  const rpcOf = ({ grpc, membership }: { readonly grpc: number; readonly membership: number }) => ({
    rpc: { grpcPort: grpc, membershipPort: membership, bindOnLocalHost: true },
  });
  const store = ({ name, password }: TemporalDatabase, maxConns: number) => ({
    sql: {
      pluginName: 'postgres12',
      databaseName: name,
      connectAddr: `${HOST}:${port}`,
      connectProtocol: 'tcp',
      user: name,
      password,
      maxConns,
      maxIdleConns: maxConns,
      maxConnLifetime: '1h',
    },
  });
  return {
    log: { stdout: true, level: 'warn' },
    persistence: {
      defaultStore: 'main',
      visibilityStore: 'visibility',
      numHistoryShards: HISTORY_SHARDS,
      datastores: { main: store(main, 20), visibility: store(visibility, 5) },
    },
    global: {
      membership: { maxJoinDuration: '30s', broadcastAddress: HOST },
      ...(guard === undefined ? {} : { tls: { frontend: frontendTls(guard.access) } }),
      metrics: {
        prometheus: {
          framework: 'tally',
          timerType: 'histogram',
          listenAddress: `${HOST}:${temporalPorts[role].metrics}`,
        },
      },
    },
    services: {
      ...Object.fromEntries(TEMPORAL_ROLES.map((one) => [one, rpcOf(temporalPorts[one])])),
      ...(guard === undefined ? {} : { [INTERNAL_FRONTEND]: rpcOf(guard.internalFrontend) }),
    },
    clusterMetadata: {
      enableGlobalNamespace: false,
      failoverVersionIncrement: 10,
      masterClusterName: 'active',
      currentClusterName: 'active',
      clusterInformation: {
        active: {
          enabled: true,
          initialFailoverVersion: 1,
          rpcName: 'frontend',
          rpcAddress: `${HOST}:${temporalPorts.frontend.grpc}`,
        },
      },
    },
    dcRedirectionPolicy: { policy: 'noop' },
    archival: { history: { state: 'disabled' }, visibility: { state: 'disabled' } },
    dynamicConfigClient: { filepath: join(folder, 'dynamic.yaml'), pollInterval: '10s' },
  };
}
