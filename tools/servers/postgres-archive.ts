// The archive of what a PostgreSQL writes, for backups.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeOwnedFolder } from './postgres-place.js';
import type { SystemUser } from './postgres-user.js';

export interface PostgresFiles {
  readonly dataFolder: string;
  readonly archiveFolder: string;
  /** Whom the files belong to; undefined: us. */
  readonly user: SystemUser | undefined;
}

/** How long until a partly filled file is archived: the most that a lost disk can cost. */
const ARCHIVE_TIMEOUT = '5s';

/** Makes the archive's folder. @returns the settings that fill it */
export function prepareArchive({ archiveFolder, user }: PostgresFiles): Record<string, string> {
  if (!existsSync(archiveFolder)) makeOwnedFolder(archiveFolder, user);
  const file = `"${archiveFolder}/%f"`;
  return {
    wal_level: 'replica',
    archive_mode: 'on',
    archive_timeout: ARCHIVE_TIMEOUT,
    // Whole or not at all, and never over another one.
    archive_command: `test ! -f ${file} && cp "%p" "${archiveFolder}/%f.part" && mv "${archiveFolder}/%f.part" ${file}`,
  };
}

export function emptyArchive({ archiveFolder }: Pick<PostgresFiles, 'archiveFolder'>): void {
  for (const name of existsSync(archiveFolder) ? readdirSync(archiveFolder) : [])
    rmSync(join(archiveFolder, name), { force: true });
}
