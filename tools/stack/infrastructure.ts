// PostgreSQL and Temporal for the stack: started here, or those whose addresses the environment gives.
import { deployDatabase, type DeploymentResult } from '../../prisma/deploy.js';
import { MigrationError } from '../../prisma/sql-file.js';
import type { TemporalServer } from '../../platform/temporal/connection.js';
import { Failure } from '../bootstrap/failure.mjs';
import { say, step } from '../bootstrap/progress.mjs';
import { findFreePort } from '../processes/ports.js';
import type { ProcessRegistry } from '../processes/registry.js';
import { ensureDatabase, postgresUrl, preparePostgres } from '../servers/postgres.js';
import { letRolesSignIn, limitRoles, type UrlOfRole, urlsOfRoles } from '../servers/postgres-roles.js';
import { registerSearchAttributes } from '../servers/search-attributes.js';
import { prepareTemporal } from '../servers/temporal.js';
import { ReadOnlyUi } from '../servers/temporal-ui.js';
import type { Environment } from '../bootstrap/programs.mjs';
import { PATHS } from './paths.js';
import type { StackSecrets } from './secrets.js';
import type { StackSettings } from './settings.js';

const DATABASE = 'gateway';

/** What a stack stops when it ends: in good order, or at once. */
export interface Stoppable {
  stop(): Promise<unknown>;
  kill(): Promise<void> | void;
}

/** Registers a server to be stopped later, also when it never becomes ready. */
type Track = <Started extends Stoppable>(started: Started) => Started;

/** Where the database is. */
export interface StackDatabase {
  /** The `gateway` command's URL. */
  readonly url: string;
  /** Undefined for a given database: every process uses it as it is given. */
  readonly urlOfRole: UrlOfRole | undefined;
}

/** Starts PostgreSQL if need be and brings tables and grants up to date. */
export async function startDatabase(
  settings: StackSettings,
  secrets: StackSecrets,
  environment: Environment,
  registry: ProcessRegistry,
  track: Track,
): Promise<StackDatabase> {
  const given = settings.databaseUrl;
  const url = given ?? (await startOwnPostgres(settings, secrets, environment, registry, track));
  const { migrations, functions } = await deploy(url);
  const applied = [...migrations, ...functions];
  if (applied.length > 0) say(`  ✓ database brought up to date: ${applied.join(', ')}`);
  if (given !== undefined) return { url, urlOfRole: undefined };
  const urlOfRole = urlsOfRoles(url, secrets.postgres_password);
  return { url: urlOfRole('gateway_command'), urlOfRole };
}

async function startOwnPostgres(
  settings: StackSettings,
  secrets: StackSecrets,
  environment: Environment,
  registry: ProcessRegistry,
  track: Track,
): Promise<string> {
  const { postgres: port } = settings.ports;
  const server = preparePostgres(
    {
      environment,
      home: PATHS.postgres,
      port,
      superuserPassword: secrets.postgres_superuser_password,
      logFile: PATHS.logFileOf('postgres'),
      settings: {},
    },
    registry,
  );
  await step(server.description, () => track(server.service).start());
  await ensureDatabase(server.superuserUrl, DATABASE, secrets.postgres_password);
  await letRolesSignIn(server.superuserUrl, secrets.postgres_password);
  await limitRoles(server.superuserUrl, DATABASE);
  return postgresUrl(port, DATABASE, secrets.postgres_password, DATABASE);
}

async function deploy(url: string): Promise<DeploymentResult> {
  try {
    return await deployDatabase(url);
  } catch (error) {
    if (error instanceof MigrationError)
      throw new Failure(
        `The database cannot be migrated: ${error.message}. (To start with empty data: "npm start -- --reset".)`,
      );
    const { hostname, port, pathname } = new URL(url);
    throw new Failure(
      `PostgreSQL at ${hostname}:${port || '5432'}${pathname} cannot be used: ` +
        `${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/** Starts Temporal if need be and registers the search attributes. @returns its address */
export async function startTemporal(
  settings: StackSettings,
  environment: Environment,
  registry: ProcessRegistry,
  track: Track,
): Promise<string> {
  const given = settings.temporalServer;
  if (given !== undefined) {
    await step(`Temporal at ${given.address} (TEMPORAL_ADDRESS)`, () =>
      useGivenTemporal(given, settings.temporalNamespace),
    );
    return given.address;
  }
  const uiPort = await findFreePort();
  const server = await prepareTemporal(
    {
      environment,
      port: settings.ports.temporal,
      uiPort,
      databaseFile: PATHS.temporalDatabase,
      logFile: PATHS.logFileOf('temporal'),
    },
    registry,
  );
  await step(server.description, () => track(server.service).start());
  // A kept database may lack attributes that were added since.
  await registerSearchAttributes(server, settings.temporalNamespace);
  await track(new ReadOnlyUi(uiPort)).start(settings.ports.temporalUi);
  return server.address;
}

async function useGivenTemporal(server: TemporalServer, namespace: string): Promise<void> {
  try {
    await registerSearchAttributes(server, namespace);
  } catch (error) {
    throw new Failure(
      `Temporal at ${server.address} (TEMPORAL_ADDRESS) cannot be used: ` +
        `${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
