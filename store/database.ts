// The one way into the database: the Prisma client over node-postgres, with named statements so that Postgres plans
// each once. Single-table reads and writes are model calls. SQL is for the statements of every request and
// payment (statements.ts), and for those that write several tables or lock and compare at once; each file says which.
import { createHash } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { Prisma, PrismaClient } from '../prisma/generated/client.js';
import { SharedPool, type SharedPoolConfig } from './shared-pool.js';

// Amounts have up to 38 digits; the default would round at 20 and print exponents.
Prisma.Decimal.set({ precision: 80, toExpPos: 80 });

export interface DatabaseConfig {
  readonly url: string;
  /** Connections of this process. */
  readonly poolSize: number;
  /** Milliseconds to wait for a free connection before the call fails. */
  readonly connectTimeoutMs: number;
  /** Milliseconds after which Postgres ends a statement. */
  readonly statementTimeoutMs: number;
}

export type Database = PrismaClient;

/** Opens a pool (lazily connected). Close it with `$disconnect()`. */
export function createDatabase(config: DatabaseConfig): Database {
  const pool = new SharedPool(poolConfig(config));
  // The pool replaces an idle connection that the server ended; if the server is down, the next call fails.
  pool.on('error', () => undefined);
  const database = databaseOver(pool);
  const disconnect = database.$disconnect.bind(database);
  // The client ends the pool only if it made a call itself; calls also go by the driver.
  database.$disconnect = async () => {
    await disconnect();
    if (!pool.ended) await pool.end();
  };
  return database;
}

/** The settings of a process's pool. */
export function poolConfig(config: DatabaseConfig): SharedPoolConfig {
  return {
    connectionString: config.url,
    max: config.poolSize,
    connectionTimeoutMillis: config.connectTimeoutMs,
    statement_timeout: config.statementTimeoutMs,
    // The adapter reads and writes times without an offset: another time zone would shift every instant.
    options: '-c TimeZone=UTC',
    idleTimeoutMillis: 30_000,
  };
}

/** A client over an existing pool, which the caller ends. */
export function databaseOver(pool: pg.Pool): Database {
  const statementNameGenerator = ({ sql }: { sql: string }) => createHash('sha1').update(sql).digest('base64url');
  const database = new PrismaClient({ adapter: new PrismaPg(pool, { statementNameGenerator }) });
  pools.set(database, pool);
  return database;
}

const pools = new WeakMap<Database, pg.Pool>();

/** The pool of a client, for statements by the driver (statements.ts). */
export function poolOf(database: Database): pg.Pool {
  const pool = pools.get(database);
  if (pool === undefined) throw new Error('the database was not made by createDatabase');
  return pool;
}

export interface PoolUsage {
  readonly busy: number;
  readonly idle: number;
  /** Calls waiting for a connection. */
  readonly waiting: number;
  /** Calls waiting for their operation's share of the connections. */
  readonly heldBack: number;
  readonly limit: number;
}

/** The current use of a client's pool. */
export function poolUsage(database: Database): PoolUsage {
  const pool = poolOf(database);
  return {
    busy: pool.totalCount - pool.idleCount,
    idle: pool.idleCount,
    waiting: pool.waitingCount,
    heldBack: pool instanceof SharedPool ? pool.heldBack : 0,
    limit: pool.options.max,
  };
}

/** Calls `note` for each call that fails because it waited too long for its operation's share of the pool. */
export function whenShareTimesOut(database: Database, note: () => void): void {
  const pool = poolOf(database);
  if (pool instanceof SharedPool) pool.whenShareTimesOut = note;
}

/** Calls of an operation that wait for its share of the pool. */
export function waitingFor(database: Database, operationId: string): number {
  const pool = poolOf(database);
  return pool instanceof SharedPool ? pool.waitingFor(operationId) : 0;
}

/** The exact bigint of a NUMERIC(38,0) column. */
export function toBigInt(value: Prisma.Decimal): bigint {
  return BigInt(value.toFixed(0));
}

/** Resolves when the database answers. */
export async function answers(database: Pick<Database, '$queryRaw'>): Promise<void> {
  await database.$queryRaw`SELECT 1`;
}

/** Whether the migrations have made the tables. */
export async function hasTables(database: Pick<Database, '$queryRaw'>): Promise<boolean> {
  const [row] = await database.$queryRaw<{ operation: string | null }[]>`
    SELECT to_regclass('operation')::text AS operation`;
  return row?.operation != null;
}

/**
 * What may be wrong with the role under which this process uses the database. A role that owns the tables, or a
 * superuser, could switch off the constraints and triggers. In production only the migration may use one.
 */
export type RoleFault = 'superuser' | 'owner';

/** What is wrong with the role of the connection; `null` if nothing is, or there are no tables yet. */
export async function faultOfRole(database: Pick<Database, '$queryRaw'>): Promise<RoleFault | null> {
  const [row] = await database.$queryRaw<{ superuser: boolean; owner: boolean }[]>`
    SELECT rolsuper AS superuser, coalesce((
        SELECT pg_has_role(relowner, 'MEMBER') FROM pg_class WHERE oid = to_regclass('operation')
      ), FALSE) AS owner
    FROM pg_roles WHERE rolname = current_user`;
  if (row?.superuser === true) return 'superuser';
  return row?.owner === true ? 'owner' : null;
}

const FAULT_TEXTS: Readonly<Record<RoleFault, string>> = {
  superuser: 'connects as a superuser',
  owner: 'connects as the owner of the tables, or as a member of it',
};

/** The fault and its remedy, in one line for people. */
export function roleRefusal(fault: RoleFault): string {
  return (
    `DATABASE_URL: ${FAULT_TEXTS[fault]}, which production refuses: connect as the role that is made for this process ` +
    '(docs/operating.md, Roles of the database)'
  );
}

const PAUSE_MS = 2_000;

/**
 * Checks the role once, as soon as the database answers, and calls `end` with what is wrong. Production only: a sandbox
 * may use any role.
 */
export function watchRole(database: Database, environment: string, end: (refusal: string) => void): void {
  if (environment !== 'production') return;
  const check = () =>
    void faultOfRole(database).then(
      (fault) => fault !== null && end(roleRefusal(fault)),
      () => setTimeout(check, PAUSE_MS).unref(),
    );
  check();
}
