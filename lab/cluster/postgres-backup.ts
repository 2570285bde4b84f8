// A base backup of a running PostgreSQL, its write-ahead archive, and point-in-time recovery. By file copies, which
// every installation can do; production has better tools for the same (docs/operating.md, Backup and restore).
import { chownSync, copyFileSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Failure } from '../../tools/bootstrap/failure.mjs';
import { makeOwnedFolder } from '../../tools/servers/postgres-place.js';
import { emptyArchive, type PostgresFiles } from '../../tools/servers/postgres-archive.js';
import type { SystemUser } from '../../tools/servers/postgres-user.js';

const ARCHIVED_LIMIT_MS = 60_000;
/** What belongs to the running server, and its log of writes, which comes from the archive. */
const NOT_COPIED = new Set([
  'postmaster.pid',
  'postmaster.opts',
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
]);

/** Copies the data of the running server. Clears the archive: backup and archive together lead to any later instant. */
export async function takeBaseBackup(
  superuserUrl: string,
  { dataFolder, archiveFolder, user }: PostgresFiles,
  backupFolder: string,
): Promise<void> {
  emptyArchive({ archiveFolder });
  await withConnection(superuserUrl, async (client) => {
    await client.query(`SELECT pg_backup_start('drill', true)`);
    rmSync(backupFolder, { recursive: true, force: true });
    copyFolder(dataFolder, backupFolder, user);
    const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(true)');
    writeOwned(join(backupFolder, 'backup_label'), rows[0]?.labelfile ?? '', user);
  });
}

/** The server's clock: an instant to come back to. */
export async function instantOf(superuserUrl: string): Promise<string> {
  return withConnection(superuserUrl, async (client) => {
    const { rows } = await client.query<{ now: string }>(
      `SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') || '+00' AS now`,
    );
    return rows[0]?.now as string;
  });
}

/** Waits until everything written so far is in the archive. */
export async function untilArchived(superuserUrl: string): Promise<void> {
  await withConnection(superuserUrl, async (client) => {
    const { rows } = await client.query<{ file: string }>('SELECT pg_walfile_name(pg_current_wal_lsn()) AS file');
    for (const deadline = Date.now() + ARCHIVED_LIMIT_MS; Date.now() < deadline; await sleep(250)) {
      const archived = await client.query<{ done: boolean }>(
        'SELECT last_archived_wal >= $1 AS done FROM pg_stat_archiver',
        [rows[0]?.file],
      );
      if (archived.rows[0]?.done === true) return;
    }
    throw new Failure('PostgreSQL does not archive what it writes');
  });
}

/** Puts a base backup where the (lost) data was. The next start with {@link recoverySettings} recovers from it. */
export function putBack(backupFolder: string, { dataFolder, user }: PostgresFiles): void {
  if (existsSync(dataFolder)) throw new Failure(`${dataFolder} is still there: a restore never overwrites data`);
  copyFolder(backupFolder, dataFolder, user);
  writeOwned(join(dataFolder, 'recovery.signal'), '', user);
}

/** Replays the archive up to the instant, then serves. Connections are refused until then. */
export function recoverySettings({ archiveFolder }: PostgresFiles, instant: string): Record<string, string> {
  return {
    restore_command: `cp "${archiveFolder}/%f" "%p"`,
    recovery_target_time: instant,
    recovery_target_action: 'promote',
    hot_standby: 'off',
  };
}

function copyFolder(from: string, to: string, user: SystemUser | undefined): void {
  makeOwnedFolder(to, user);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory() && NOT_COPIED.has(entry.name)) makeEmpty(target, entry.name, user);
    else if (entry.isDirectory()) copyFolder(source, target, user);
    else if (entry.isFile() && !NOT_COPIED.has(entry.name)) copyFile(source, target, user);
  }
}

/** PostgreSQL wants these folders to be there. */
function makeEmpty(folder: string, name: string, user: SystemUser | undefined): void {
  makeOwnedFolder(folder, user);
  if (name === 'pg_wal') makeOwnedFolder(join(folder, 'archive_status'), user);
}

/** Recovery does not need a file that disappears during the copy. */
function copyFile(source: string, target: string, user: SystemUser | undefined): void {
  try {
    copyFileSync(source, target);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  if (user) chownSync(target, user.uid, user.gid);
}

function writeOwned(file: string, content: string, user: SystemUser | undefined): void {
  writeFileSync(file, content, { mode: 0o600 });
  if (user) chownSync(file, user.uid, user.gid);
}

async function withConnection<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
