// The Prisma client over node-postgres, with named statements so that Postgres plans each hot statement once.
import { createHash } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { Prisma, PrismaClient } from '../prisma/generated/client.js';

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
  const pool = new pg.Pool(poolConfig(config));
  const database = databaseOver(pool, { endsWithClient: true });
  pools.set(database, pool);
  return database;
}

/** The settings of a process's pool. */
export function poolConfig(config: DatabaseConfig): pg.PoolConfig {
  return {
    connectionString: config.url,
    max: config.poolSize,
    connectionTimeoutMillis: config.connectTimeoutMs,
    statement_timeout: config.statementTimeoutMs,
    // The adapter reads and writes times without their offset: in a session of another time zone every instant would be shifted.
    options: '-c TimeZone=UTC',
    idleTimeoutMillis: 30_000,
  };
}

/** The client over a pool, which stays its giver's to end unless `endsWithClient`. */
export function databaseOver(pool: pg.Pool, { endsWithClient = false } = {}): Database {
  return new PrismaClient({ adapter: new PrismaPg(pool, { disposeExternalPool: endsWithClient, statementNameGenerator: ({ sql }) => statementName(sql) }) });
}

/**
 * Postgres may come to one plan for all values of a named statement. A filter by the last update that a handful of rows meet
 * needs another index than one that all rows meet, so a statement with one has no name and is planned for its values.
 */
function statementName(sql: string): string {
  return /"updated_at" >= \$\d/.test(sql) ? '' : createHash('sha1').update(sql).digest('base64url');
}

const pools = new WeakMap<Database, pg.Pool>();

export interface PoolUsage {
  readonly busy: number;
  readonly idle: number;
  /** Calls that wait for a connection. */
  readonly waiting: number;
  readonly limit: number;
}

/** How the pool of a database is used right now. */
export function poolUsage(database: Database): PoolUsage {
  const pool = pools.get(database);
  if (pool === undefined) throw new Error('the database was not made by createDatabase');
  return { busy: pool.totalCount - pool.idleCount, idle: pool.idleCount, waiting: pool.waitingCount, limit: pool.options.max };
}

/** Exact bigint of a NUMERIC(38,0) column. */
export function toBigInt(value: Prisma.Decimal): bigint {
  return BigInt(value.toFixed(0));
}
