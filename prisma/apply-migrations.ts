// Applies prisma/migrations, forward only. Table, checksums and order are those of `prisma migrate deploy`, so each
// accepts what the other did. No native engine is needed.
import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { failureOf, MigrationError, readSqlFile, type SqlFile } from './sql-file.js';

const CREATE_TABLE = `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
  "id" VARCHAR(36) PRIMARY KEY NOT NULL, "checksum" VARCHAR(64) NOT NULL, "finished_at" TIMESTAMPTZ,
  "migration_name" VARCHAR(255) NOT NULL, "logs" TEXT, "rolled_back_at" TIMESTAMPTZ,
  "started_at" TIMESTAMPTZ NOT NULL DEFAULT now(), "applied_steps_count" INTEGER NOT NULL DEFAULT 0)`;

/** The migrations of a folder, one sub-folder each, sorted by name. */
export function readMigrations(folder: string): SqlFile[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
    .map((name) => readSqlFile(name, join(folder, name, 'migration.sql')));
}

/**
 * Applies every migration that the database does not have yet, each in one transaction together with its record. The
 * caller holds the lock. @returns the names of those applied
 */
export async function applyMigrations(client: pg.Client, migrations: readonly SqlFile[]): Promise<string[]> {
  await client.query(CREATE_TABLE);
  const pending = pendingMigrations(migrations, await readApplied(client));
  for (const migration of pending) await apply(client, migration);
  return pending.map(({ name }) => name);
}

/** Checksums of the applied migrations by name. */
async function readApplied(client: pg.Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{ migration_name: string; checksum: string; finished: boolean }>(
    `SELECT migration_name, checksum, finished_at IS NOT NULL AS finished
     FROM "_prisma_migrations" WHERE rolled_back_at IS NULL`,
  );
  const unfinished = rows.find((row) => !row.finished);
  // Only Prisma's own command leaves such a record. A person must check what it did before it failed.
  if (unfinished)
    throw new MigrationError(`migration ${unfinished.migration_name} was begun by "prisma migrate" and did not finish`);
  return new Map(rows.map((row) => [row.migration_name, row.checksum]));
}

function pendingMigrations(migrations: readonly SqlFile[], applied: ReadonlyMap<string, string>): SqlFile[] {
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
async function apply(client: pg.Client, { name, sql, checksum }: SqlFile): Promise<void> {
  const record = `INSERT INTO "_prisma_migrations"
    ("id", "checksum", "migration_name", "started_at", "finished_at", "applied_steps_count")
    VALUES ('${randomUUID()}', '${checksum}', ${pg.escapeLiteral(name)}, now(), clock_timestamp(), 1)`;
  try {
    await client.query(`${sql}\n;\n${record}`);
  } catch (error) {
    throw failureOf(`migration ${name}`, error);
  }
}
