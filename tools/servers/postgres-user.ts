// The system user that PostgreSQL runs as. It refuses to run as root, so root runs it as `postgres`; anybody else as
// themselves.
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { Failure } from '../bootstrap/failure.mjs';
import { outputOf } from '../bootstrap/programs.mjs';

export interface SystemUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

const USER_NAME = 'postgres';

/** The user to run as when we are root (made if it does not exist); undefined when we run it as ourselves. */
export function postgresUser(): SystemUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const existing = readUser();
  if (existing) return existing;
  const made = spawnSync('useradd', ['--system', '--no-create-home', '--shell', '/usr/sbin/nologin', USER_NAME], {
    encoding: 'utf8',
  });
  const user = readUser();
  if (user) return user;
  const reason = (made.stderr ?? made.error?.message ?? '').trim();
  throw new Failure(
    `PostgreSQL does not run as root, and the user "${USER_NAME}" could not be made (${reason}). Make it, start ` +
      'as another user, or set DATABASE_URL.',
  );
}

function readUser(): SystemUser | undefined {
  const uid = Number(outputOf('id', ['-u', USER_NAME]) ?? Number.NaN);
  const gid = Number(outputOf('id', ['-g', USER_NAME]) ?? Number.NaN);
  return Number.isInteger(uid) && Number.isInteger(gid) ? { name: USER_NAME, uid, gid } : undefined;
}

/** Whether that user can enter a folder (created if absent), with the permissions and access lists of its parents. */
export function canEnter(user: SystemUser, folder: string): boolean {
  mkdirSync(folder, { recursive: true });
  return outputOf('/bin/sh', ['-c', 'cd "$0"', folder], { uid: user.uid, gid: user.gid }) !== undefined;
}

/** Whether that user can run a program. */
export function canRun(user: SystemUser, program: string): boolean {
  return outputOf(program, ['--version'], { uid: user.uid, gid: user.gid }) !== undefined;
}
