// The place of PostgreSQL's data: under var/, unless root runs this in a folder that PostgreSQL's user cannot enter
// (root's home, a `mktemp -d`). Then it is a folder elsewhere, which var/ records and the user is shown.
import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Failure } from '../bootstrap/failure.mjs';
import { say } from '../bootstrap/progress.mjs';
import { readInstallation } from './postgres-binaries.js';
import type { PostgresBinaries } from './postgres-binaries.js';
import { canEnter, canRun } from './postgres-user.js';
import type { SystemUser } from './postgres-user.js';

const AREA = 'operator-payments-gateway';
const OWNER_FILE = 'owner.json';

/**
 * A folder that `user` can enter, for the data that belongs to `home` (var/postgres).
 * @returns `home` itself if possible; throws a {@link Failure} when no folder will do
 */
export function choosePlace(home: string, user: SystemUser | undefined): string {
  mkdirSync(home, { recursive: true });
  if (user === undefined || canEnter(user, home)) return home;
  const reference = join(home, 'elsewhere.json');
  const remembered = readReference(reference);
  if (remembered !== undefined && existsSync(remembered)) return remembered;
  const area = findArea(user);
  removeAbandoned(area);
  const place = join(area, randomUUID());
  makeEnterable(place);
  // In this order: a place with an owner that does not refer to it is taken for abandoned.
  writeFileSync(reference, JSON.stringify({ place }), { mode: 0o600 });
  writeFileSync(join(place, OWNER_FILE), JSON.stringify({ reference }), { mode: 0o600 });
  say(`  ! The user "${user.name}" cannot enter ${home}: PostgreSQL's data lies in ${place} instead.`);
  return place;
}

/** Removes the data of `home`, wherever it is. */
export function removePlace(home: string): void {
  const elsewhere = readReference(join(home, 'elsewhere.json'));
  if (elsewhere !== undefined) rmSync(elsewhere, { recursive: true, force: true });
  rmSync(home, { recursive: true, force: true });
}

/** The programs, copied once next to the data if the user cannot run them where they are. */
export function runnableBinaries(
  binaries: PostgresBinaries,
  place: string,
  user: SystemUser | undefined,
): PostgresBinaries {
  if (user === undefined || canRun(user, binaries.postgres)) return binaries;
  if (binaries.movableFolder === undefined) {
    throw new Failure(
      `The user "${user.name}" cannot run ${binaries.postgres}; PostgreSQL does not run as root. Set ` +
        'POSTGRES_BIN_DIR or DATABASE_URL.',
    );
  }
  const copy = join(place, `programs-${binaries.major}`);
  if (!existsSync(join(copy, 'complete'))) {
    cpSync(binaries.movableFolder, copy, { recursive: true, verbatimSymlinks: true });
    writeFileSync(join(copy, 'complete'), '');
  }
  const copied = readInstallation(join(copy, 'bin'), binaries.origin);
  if (copied === undefined || !canRun(user, copied.postgres))
    throw new Failure(`The user "${user.name}" cannot run PostgreSQL's programs in ${copy}.`);
  return copied;
}

/** Makes an empty folder that belongs to the user that runs PostgreSQL. */
export function makeOwnedFolder(folder: string, user: SystemUser | undefined): void {
  mkdirSync(folder, { mode: 0o700 });
  if (user) chownSync(folder, user.uid, user.gid);
}

/** The first of the system's places for such data that is ours (or can be made) and can be entered. */
function findArea(user: SystemUser): string {
  const candidates = [join('/var/lib', AREA), join('/var/tmp', AREA), join(tmpdir(), AREA)];
  const area = candidates.find((folder) => isOwnFolder(folder) && canEnter(user, folder));
  if (area) return area;
  throw new Failure(
    `The user "${user.name}" can enter none of ${candidates.join(', ')}. Move the project out of the private ` +
      'folder it lies in, or set DATABASE_URL.',
  );
}

/** In a folder that everybody may write to, somebody else could have made ours, or a link to theirs. */
function isOwnFolder(folder: string): boolean {
  try {
    if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) makeEnterable(folder);
    const stats = lstatSync(folder);
    return stats.isDirectory() && stats.uid === process.getuid?.();
  } catch {
    return false;
  }
}

/** Creates a folder that everybody may pass through and only we may read, independent of the process's umask. */
function makeEnterable(folder: string): void {
  mkdirSync(folder);
  chmodSync(folder, 0o711);
}

/** Data whose project is gone, or was given other data since. */
function removeAbandoned(area: string): void {
  for (const name of readdirSync(area)) {
    const place = join(area, name);
    const owner = readJson<{ reference: string }>(join(place, OWNER_FILE));
    if (owner !== undefined && readReference(owner.reference) !== place)
      rmSync(place, { recursive: true, force: true });
  }
}

function readReference(file: string): string | undefined {
  return readJson<{ place: string }>(file)?.place;
}

function readJson<T>(file: string): T | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T;
  } catch {
    return undefined;
  }
}
