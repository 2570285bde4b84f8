// Applies prisma/functions. Each file holds one function with the triggers that call it
// (docs/decisions/0003-one-statement-per-transition.md).
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import pg from 'pg';
import { failureOf, readSqlFile, type SqlFile } from './sql-file.js';

// The files as last applied.
const CREATE_TABLE = `CREATE TABLE IF NOT EXISTS "_applied_functions" (
  "name" TEXT PRIMARY KEY, "checksum" TEXT NOT NULL, "applied_at" TIMESTAMPTZ NOT NULL)`;

/** The functions of a folder, sorted by name. */
export function readFunctions(folder: string): SqlFile[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => readSqlFile(basename(file, '.sql'), join(folder, file)));
}

/**
 * Applies every function whose text differs from the one last applied: all in one transaction with their records, or
 * none. The caller holds the lock. @returns the names of those applied
 */
export async function applyFunctions(client: pg.Client, functions: readonly SqlFile[]): Promise<string[]> {
  await client.query(CREATE_TABLE);
  const applied = await readApplied(client);
  const changed = functions.filter(({ name, checksum }) => applied.get(name) !== checksum);
  await client.query('BEGIN');
  try {
    for (const file of changed) await apply(client, file);
    // A file that comes back later is applied again: a migration may have dropped its function in between.
    await client.query('DELETE FROM "_applied_functions" WHERE "name" <> ALL ($1)', [
      functions.map(({ name }) => name),
    ]);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
  return changed.map(({ name }) => name);
}

/** Checksums of the applied functions by name. */
async function readApplied(client: pg.Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'SELECT "name", "checksum" FROM "_applied_functions"',
  );
  return new Map(rows.map(({ name, checksum }) => [name, checksum]));
}

async function apply(client: pg.Client, { name, sql, checksum }: SqlFile): Promise<void> {
  try {
    await client.query(sql);
  } catch (error) {
    throw failureOf(`function ${name}`, error);
  }
  await client.query(
    `INSERT INTO "_applied_functions" ("name", "checksum", "applied_at") VALUES ($1, $2, clock_timestamp())
     ON CONFLICT ("name") DO UPDATE SET "checksum" = excluded."checksum", "applied_at" = excluded."applied_at"`,
    [name, checksum],
  );
}
