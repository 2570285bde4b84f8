// The PostgreSQL server of a stack or of a test run: its own supervision over whichever installation was found.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../bootstrap/failure.mjs';
import type { ProcessRegistry } from '../processes/registry.js';
import { Service } from '../processes/service.js';
import pg from 'pg';
import { createCluster, dataMajor, stopLeftServer, SUPERUSER } from './postgres-cluster.js';
import { emptyArchive, type PostgresFiles, prepareArchive } from './postgres-archive.js';
import { findPostgres } from './postgres-binaries.js';
import type { PostgresBinaries } from './postgres-binaries.js';
import { choosePlace, runnableBinaries } from './postgres-place.js';
import { postgresUser } from './postgres-user.js';
import type { Environment } from '../bootstrap/programs.mjs';

export interface PostgresOptions {
  readonly environment: Environment;
  /** The folder of the data. The data is elsewhere when PostgreSQL's user cannot enter it. */
  readonly home: string;
  readonly port: number;
  readonly superuserPassword: string;
  readonly logFile: string;
  /** Further server settings. */
  readonly settings: Readonly<Record<string, string>>;
  /** Keep what the server writes (WAL) in an archive next to the data, for backups. */
  readonly archive?: boolean;
  /** Keep the data in memory where there is enough of it: it does not survive the machine. */
  readonly inMemory?: boolean;
}

export interface PostgresServer {
  readonly service: Service;
  /** Connects as superuser to the database `postgres`. */
  readonly superuserUrl: string;
  readonly port: number;
  readonly files: PostgresFiles;
  /** Version and origin, as text. */
  readonly description: string;
}

// Crash recovery after a kill is quick, but may have much to do on a slow disk.
const READY_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 20_000;
const CONNECT_TIMEOUT_MS = 5_000;

const COMMON_SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  // TCP on the loopback is enough; a socket's path can be too long, and its usual folder not writable.
  unix_socket_directories: '',
  max_connections: '200',
  timezone: 'UTC',
  log_timezone: 'UTC',
  jit: 'off',
  // No values in the log: statements' parameters, and the rows that error details quote, can hold personal data.
  log_parameter_max_length: '0',
  log_parameter_max_length_on_error: '0',
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
};

/** Prepares the data folder and describes the server; the caller starts its service. */
export function preparePostgres(options: PostgresOptions, registry: ProcessRegistry): PostgresServer {
  const user = postgresUser();
  const place = choosePlace(options.home, user, options.inMemory);
  const dataFolder = join(place, 'data');
  const binaries = runnableBinaries(chooseBinaries(dataFolder, options.environment), place, user);
  const files = { dataFolder, archiveFolder: join(place, 'archive'), user };
  if (existsSync(dataFolder)) stopLeftServer(dataFolder, binaries, user);
  else {
    // New data counts its files from the beginning.
    emptyArchive(files);
    createCluster(dataFolder, binaries, user, options.superuserPassword);
  }
  const superuserUrl = postgresUrl(options.port, SUPERUSER, options.superuserPassword, 'postgres');
  const archiving = options.archive === true ? prepareArchive(files) : {};
  const settings = { ...COMMON_SETTINGS, ...archiving, ...options.settings, port: String(options.port) };
  const service = new Service(
    {
      process: {
        name: 'PostgreSQL',
        command: binaries.postgres,
        args: ['-D', dataFolder, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
        env: { PATH: options.environment['PATH'], LC_ALL: 'C', TZ: 'UTC' },
        cwd: dataFolder,
        logFile: options.logFile,
        // "Fast": open sessions are ended.
        stopSignal: 'SIGINT',
        stopTimeoutMs: STOP_TIMEOUT_MS,
        user,
      },
      isReady: () => acceptsConnections(superuserUrl),
      readyTimeoutMs: READY_TIMEOUT_MS,
    },
    registry,
  );
  return {
    service,
    superuserUrl,
    port: options.port,
    files,
    description: `PostgreSQL ${binaries.major} (${binaries.origin})`,
  };
}

export function postgresUrl(port: number, user: string, password: string, database: string): string {
  return `postgresql://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`;
}

/** The preferred installation that can open the data folder, or simply the preferred one when there is no data yet. */
function chooseBinaries(dataFolder: string, environment: Environment): PostgresBinaries {
  const installations = findPostgres(environment);
  const madeBy = dataMajor(dataFolder);
  const fitting = installations.find((one) => madeBy === undefined || one.major === madeBy);
  if (fitting) return fitting;
  const found = installations.map((one) => `${one.major} (${one.origin})`).join(', ');
  throw new Failure(
    `${dataFolder} was made by PostgreSQL ${madeBy}, but only ${found} was found. Name that version's bin folder ` +
      'with POSTGRES_BIN_DIR, or start with empty data: --reset.',
  );
}

async function acceptsConnections(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  // A server that someone else shuts down is not our error.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT 1');
    return true;
  } finally {
    await client.end();
  }
}

/**
 * Makes a role and its database of the same name, unless they exist. Runs on every start, because a crash may have left
 * one.
 */
export async function ensureDatabase(superuserUrl: string, name: string, password: string): Promise<void> {
  const client = new pg.Client({ connectionString: superuserUrl, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  await client.connect();
  try {
    const quoted = pg.escapeIdentifier(name);
    const roles = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [name]);
    if (roles.rowCount === 0) await client.query(`CREATE ROLE ${quoted} LOGIN`);
    await client.query(`ALTER ROLE ${quoted} PASSWORD ${pg.escapeLiteral(password)}`);
    const databases = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (databases.rowCount === 0) await client.query(`CREATE DATABASE ${quoted} OWNER ${quoted}`);
    // Only its owner; others that need it get it explicitly.
    await client.query(`REVOKE ALL ON DATABASE ${quoted} FROM PUBLIC`);
  } finally {
    await client.end();
  }
}
