// A file of SQL with its checksum, and the error of one that cannot be applied.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

export interface SqlFile {
  readonly name: string;
  readonly sql: string;
  /** SHA-256 of the text, in hex: what Prisma Migrate records. */
  readonly checksum: string;
}

/** A migration or a function that cannot be applied; the message names it and the reason. None of it was kept. */
export class MigrationError extends Error {
  override name = 'MigrationError';
}

export function readSqlFile(name: string, path: string): SqlFile {
  const sql = readFileSync(path, 'utf8');
  return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
}

export function failureOf(what: string, error: unknown): MigrationError {
  return new MigrationError(`${what} failed: ${error instanceof Error ? error.message : String(error)}`, {
    cause: error,
  });
}
