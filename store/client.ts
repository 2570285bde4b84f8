// The Prisma client over node-postgres, with named statements so that Postgres plans each hot statement once.
import { createHash } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
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
  const adapter = new PrismaPg(
    {
      connectionString: config.url,
      max: config.poolSize,
      connectionTimeoutMillis: config.connectTimeoutMs,
      statement_timeout: config.statementTimeoutMs,
      idleTimeoutMillis: 30_000,
    },
    { statementNameGenerator: ({ sql }) => createHash('sha1').update(sql).digest('base64url') },
  );
  return new PrismaClient({ adapter });
}

/** Exact bigint of a NUMERIC(38,0) column. */
export function toBigInt(value: Prisma.Decimal): bigint {
  return BigInt(value.toFixed(0));
}
