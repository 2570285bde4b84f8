// A PostgreSQL data folder: made whole or not at all, freed of a server that an earlier run left behind.
import { spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Failure } from '../bootstrap/failure.mjs';
import { lastLines } from '../bootstrap/run-command.mjs';
import { say } from '../bootstrap/progress.mjs';
import { makeOwnedFolder } from './postgres-place.js';
import type { PostgresBinaries } from './postgres-binaries.js';
import type { SystemUser } from './postgres-user.js';

export const SUPERUSER = 'postgres';
const INITDB_TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_SECONDS = 20;

/** The major version that made a data folder; undefined when there is no (whole) data folder. */
export function dataMajor(dataFolder: string): number | undefined {
  const file = join(dataFolder, 'PG_VERSION');
  return existsSync(file) ? Number(readFileSync(file, 'utf8')) : undefined;
}

/**
 * Makes a data folder whose superuser has `password`. It is made under another name and renamed at the end, so that a
 * run that is killed half-way leaves nothing that looks like data.
 */
export function createCluster(
  dataFolder: string,
  binaries: PostgresBinaries,
  user: SystemUser | undefined,
  password: string,
): void {
  const unfinished = `${dataFolder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  makeOwnedFolder(unfinished, user);
  const secrets = mkdtempSync(join(tmpdir(), 'gateway-initdb-'));
  const passwordFile = join(secrets, 'password');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (user) for (const path of [secrets, passwordFile]) chownSync(path, user.uid, user.gid);
  const locale = process.platform === 'linux' ? 'C.UTF-8' : 'C';
  try {
    const result = spawnSync(
      binaries.initdb,
      [
        '-D',
        unfinished,
        '-U',
        SUPERUSER,
        '--auth=scram-sha-256',
        `--pwfile=${passwordFile}`,
        '--encoding=UTF8',
        `--locale=${locale}`,
        '--no-instructions',
      ],
      {
        encoding: 'utf8',
        timeout: INITDB_TIMEOUT_MS,
        cwd: '/',
        env: { PATH: process.env['PATH'], LC_ALL: 'C' },
        ...asUser(user),
      },
    );
    if (result.status !== 0)
      throw new Failure(`initdb could not make ${dataFolder}:\n${lastLines(`${result.stdout}${result.stderr}`, 10)}`);
  } finally {
    rmSync(secrets, { recursive: true, force: true });
  }
  renameSync(unfinished, dataFolder);
}

/**
 * Stops a server that still runs on the data folder, left there by a run that was killed together with its watchdog.
 */
export function stopLeftServer(dataFolder: string, binaries: PostgresBinaries, user: SystemUser | undefined): void {
  if (!existsSync(join(dataFolder, 'postmaster.pid'))) return;
  const control = (...args: string[]) =>
    spawnSync(binaries.pgCtl, ['-D', dataFolder, ...args], {
      encoding: 'utf8',
      timeout: (STOP_TIMEOUT_SECONDS + 5) * 1_000,
      cwd: '/',
      ...asUser(user),
    });
  if (control('status').status !== 0) return;
  say(`  ! A PostgreSQL of an earlier start still runs on ${dataFolder}: stopping it first.`);
  const stopped = control('stop', '-m', 'fast', '-w', '-t', String(STOP_TIMEOUT_SECONDS));
  if (stopped.status !== 0)
    throw new Failure(
      `The PostgreSQL that still runs on ${dataFolder} could not be stopped: ${stopped.stderr.trim()}. End it by hand.`,
    );
}

function asUser(user: SystemUser | undefined): { uid?: number; gid?: number } {
  return user === undefined ? {} : { uid: user.uid, gid: user.gid };
}
