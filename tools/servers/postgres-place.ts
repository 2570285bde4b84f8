// The place of PostgreSQL's data: under var/, unless root runs this in a folder that PostgreSQL's user cannot enter
// (root's home, a `mktemp -d`). Then it is a folder elsewhere, which var/ records and the user is shown. Data of a test
// run is in memory where there is enough.
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
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Failure } from '../bootstrap/failure.mjs';
import { say } from '../bootstrap/progress.mjs';
import { readInstallation } from './postgres-binaries.js';
import type { PostgresBinaries } from './postgres-binaries.js';
import { canEnter, canRun } from './postgres-user.js';
import type { SystemUser } from './postgres-user.js';

const AREA = 'operator-payments-gateway';
const OWNER_FILE = 'owner.json';
/** Linux's memory as a folder. */
const MEMORY = '/dev/shm';
/** Far more than a run of all tests keeps there, so that memory does not run out. */
const SPARE_MEMORY_BYTES = 4 * 1024 ** 3;

/**
 * A folder that `user` can enter, for the data that belongs to `home` (var/postgres).
 * @param inMemory whether memory is preferred, for data that is thrown away soon: a database that is created and
 *   dropped again costs a fifth of what it costs on some disks (ext4 without a journal)
 * @returns `home` itself if possible; throws a {@link Failure} when no folder will do
 */
export function choosePlace(home: string, user: SystemUser | undefined, inMemory = false): string {
  mkdirSync(home, { recursive: true });
  const reference = join(home, 'elsewhere.json');
  const remembered = readReference(reference);
  if (remembered !== undefined && existsSync(remembered)) {
    // The project may have moved since.
    writeOwner(remembered, reference);
    return remembered;
  }
  const memory = inMemory && hasSpareMemory() ? usable([join(MEMORY, AREA)], user) : undefined;
  if (memory !== undefined) return makePlace(memory, reference);
  if (user === undefined || canEnter(user, home)) return home;
  const place = makePlace(findArea(user), reference);
  say(`  ! The user "${user.name}" cannot enter ${home}: PostgreSQL's data lies in ${place} instead.`);
  return place;
}

/** A new place in the area, which `reference` records. */
function makePlace(area: string, reference: string): string {
  removeAbandoned(area);
  const place = join(area, randomUUID());
  makeEnterable(place);
  // In this order: a place with an owner that does not refer to it is taken for abandoned.
  writeFileSync(reference, JSON.stringify({ place }), { mode: 0o600 });
  writeOwner(place, reference);
  return place;
}

function writeOwner(place: string, reference: string): void {
  writeFileSync(join(place, OWNER_FILE), JSON.stringify({ reference }), { mode: 0o600 });
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
  const area = usable(candidates, user);
  if (area !== undefined) return area;
  throw new Failure(
    `The user "${user.name}" can enter none of ${candidates.join(', ')}. Move the project out of the private ` +
      'folder it lies in, or set DATABASE_URL.',
  );
}

function usable(folders: readonly string[], user: SystemUser | undefined): string | undefined {
  return folders.find((folder) => isOwnFolder(folder) && (user === undefined || canEnter(user, folder)));
}

function hasSpareMemory(): boolean {
  if (!existsSync(MEMORY)) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return Math.min(bavail * bsize, freemem()) >= SPARE_MEMORY_BYTES;
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
