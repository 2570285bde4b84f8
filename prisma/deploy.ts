// Applies prisma/migrations to a database, forward only. It keeps the same lock, the same table and the same checksums as
// `prisma migrate deploy`, so that each accepts what the other did; it needs no native engine.
import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';

/** A migration that cannot be applied; the message says which and why. Nothing of it stays in the database. */
export class MigrationError extends Error {
  override name = 'MigrationError';
}

// The advisory lock that Prisma Migrate itself takes.
const PRISMA_LOCK_ID = 72707369;
const CONNECT_TIMEOUT_MS = 10_000;
// Another deployer may be in the middle of a long migration.
const LOCK_TIMEOUT_MS = 120_000;

const CREATE_TABLE = `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
  "id" VARCHAR(36) PRIMARY KEY NOT NULL, "checksum" VARCHAR(64) NOT NULL, "finished_at" TIMESTAMPTZ,
  "migration_name" VARCHAR(255) NOT NULL, "logs" TEXT, "rolled_back_at" TIMESTAMPTZ,
  "started_at" TIMESTAMPTZ NOT NULL DEFAULT now(), "applied_steps_count" INTEGER NOT NULL DEFAULT 0)`;

interface Migration {
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

/**
 * Applies every migration of `migrationsDir` that the database does not have yet, in the order of their names, each in one
 * transaction together with its record. Safe to run from several processes at once.
 *
 * @returns the names that were applied now; throws {@link MigrationError} when a migration fails or an applied one was edited
 */
export async function deployMigrations(databaseUrl: string, migrationsDir: string): Promise<string[]> {
  const migrations = readMigrations(migrationsDir);
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'gateway-migrations',
  });
  await client.connect();
  try {
    await takeLock(client);
    await client.query(CREATE_TABLE);
    const pending = pendingMigrations(migrations, await readApplied(client));
    for (const migration of pending) await apply(client, migration);
    return pending.map((migration) => migration.name);
  } finally {
    // Ending the session releases the lock.
    await client.end();
  }
}

/** The migrations of a folder, one sub-folder each, sorted by name. */
export function readMigrations(migrationsDir: string): Migration[] {
  return readdirSync(migrationsDir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
    .map((name) => {
      const sql = readFileSync(join(migrationsDir, name, 'migration.sql'), 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    });
}

async function takeLock(client: pg.Client): Promise<void> {
  await client.query(`SET lock_timeout = ${LOCK_TIMEOUT_MS}`);
  await client.query('SELECT pg_advisory_lock($1::bigint)', [PRISMA_LOCK_ID]);
  await client.query('SET lock_timeout = 0');
}

/** Checksums of the applied migrations by name. */
async function readApplied(client: pg.Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{ migration_name: string; checksum: string; finished: boolean }>(
    `SELECT migration_name, checksum, finished_at IS NOT NULL AS finished FROM "_prisma_migrations" WHERE rolled_back_at IS NULL`,
  );
  const unfinished = rows.find((row) => !row.finished);
  // Only Prisma's own command leaves such a record; what it did before it failed has to be looked at by a person.
  if (unfinished)
    throw new MigrationError(`migration ${unfinished.migration_name} was begun by "prisma migrate" and did not finish`);
  return new Map(rows.map((row) => [row.migration_name, row.checksum]));
}

function pendingMigrations(migrations: readonly Migration[], applied: ReadonlyMap<string, string>): Migration[] {
  return migrations.filter(({ name, checksum }) => {
    const appliedChecksum = applied.get(name);
    if (appliedChecksum !== undefined && appliedChecksum !== checksum) {
      throw new MigrationError(
        `migration ${name} was edited after it had been applied; migrations are forward only, add a new one`,
      );
    }
    return appliedChecksum === undefined;
  });
}

/** One message of several statements is one implicit transaction: the migration and its record, or neither. */
async function apply(client: pg.Client, { name, sql, checksum }: Migration): Promise<void> {
  const record = `INSERT INTO "_prisma_migrations" ("id", "checksum", "migration_name", "started_at", "finished_at", "applied_steps_count")
    VALUES ('${randomUUID()}', '${checksum}', ${pg.escapeLiteral(name)}, now(), clock_timestamp(), 1)`;
  try {
    await client.query(`${sql}\n;\n${record}`);
  } catch (error) {
    throw new MigrationError(`migration ${name} failed: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}
