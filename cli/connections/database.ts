// Connects to PostgreSQL for one command. If it does not answer, the problem names its address.
import { readDatabaseConfig } from '../../platform/config/cli.js';
import { createDatabase, type Database, faultOfRole, hasTables, roleRefusal } from '../../store/database.js';
import { refused } from '../problem.js';

const CONNECT_TIMEOUT_MS = 5_000;

/** Checks the connection, runs `work`, and closes the pool in any case. */
export async function withDatabase<Result>(
  environment: NodeJS.ProcessEnv,
  statementTimeoutMs: number,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const { DATABASE_URL, GATEWAY_ENVIRONMENT } = readDatabaseConfig(environment);
  const database = createDatabase({
    url: DATABASE_URL,
    poolSize: 2,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    statementTimeoutMs,
  });
  try {
    await assertReady(database, DATABASE_URL);
    if (GATEWAY_ENVIRONMENT === 'production') await assertOwnRole(database);
    return await work(database);
  } finally {
    await database.$disconnect();
  }
}

/** Distinguishes an unreachable database from one without migrations, in one round trip. */
async function assertReady(database: Database, url: string): Promise<void> {
  let isMigrated: boolean;
  try {
    isMigrated = await hasTables(database);
  } catch (error) {
    const reason = reasonOf(error);
    // A five-character SQLSTATE is an answer of the server: wrong password, no such database, too many connections.
    if (/^[0-9A-Z]{5}$/.test(reason))
      throw refused(`PostgreSQL at ${addressOf(url)} refuses the connection (${reason})`);
    throw refused(`PostgreSQL at ${addressOf(url)} does not answer (${reason}); is the stack running (npm start)?`);
  }
  if (!isMigrated)
    throw refused(
      `the database at ${addressOf(url)} has no gateway tables; apply the migrations first (npm start does)`,
    );
}

/** A person's command must not use a more powerful role than it needs, like every process. */
async function assertOwnRole(database: Database): Promise<void> {
  const fault = await faultOfRole(database);
  if (fault !== null) throw refused(roleRefusal(fault));
}

/** Host, port and database. Never the user or the password. */
function addressOf(url: string): string {
  const { hostname, port, pathname } = new URL(url);
  return `${hostname}:${port === '' ? '5432' : port}${pathname}`;
}

/** The code of the deepest cause: driver errors are nested, and their messages repeat the query. */
function reasonOf(error: unknown): string {
  let code = 'no connection';
  for (let cause = error; typeof cause === 'object' && cause !== null; cause = nextCause(cause)) {
    const named = cause as { code?: unknown; originalCode?: unknown; kind?: unknown };
    const found = [named.originalCode, named.code, named.kind].find((value) => typeof value === 'string');
    if (found !== undefined) code = found as string;
  }
  return code;
}

function nextCause(error: object): unknown {
  const { cause, meta } = error as { cause?: unknown; meta?: { driverAdapterError?: unknown } };
  return cause ?? meta?.driverAdapterError;
}
