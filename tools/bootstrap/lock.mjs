// A lock between processes: a file that names its holder. A holder that died leaves a stale file, which is taken over.
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { identifyProcess, isStillRunning } from './process-identity.mjs';

const POLL_MS = 100;
// Taking over is a few file operations; a guard older than this belongs to a process that died in the middle of them.
const TAKE_OVER_MAX_MS = 5_000;
// A lock file without a readable holder is one that is just being written, unless it stays so.
const UNREADABLE_MAX_MS = 2_000;

/** @typedef {import('./process-identity.mjs').ProcessIdentity} ProcessIdentity */

/**
 * Takes the lock if it is free or its holder is dead.
 * @param {string} file
 * @returns {{ release: () => void } | { holder: number }} the pid of the living holder when it is taken (0: not known
 * yet)
 */
export function tryLock(file) {
  mkdirSync(dirname(file), { recursive: true });
  if (createExclusively(file)) return held(file);
  const holder = readHolder(file);
  if (holder === 'unreadable') return { holder: 0 };
  if (holder !== undefined && isStillRunning(holder)) return { holder: holder.pid };
  takeOver(file, holder);
  return createExclusively(file) ? held(file) : { holder: 0 };
}

/**
 * Runs `task` while holding the lock, waiting for another holder as long as it lives.
 * @template T
 * @param {string} file
 * @param {() => Promise<T>} task
 * @param {(holderPid: number) => void} [onWait] called once when it has to wait
 * @returns {Promise<T>}
 */
export async function withLock(file, task, onWait) {
  let said = false;
  for (;;) {
    const attempt = tryLock(file);
    if ('release' in attempt) {
      try {
        return await task();
      } finally {
        attempt.release();
      }
    }
    if (!said && attempt.holder !== 0) {
      said = true;
      onWait?.(attempt.holder);
    }
    await sleep(POLL_MS);
  }
}

/**
 * @param {string} file
 * @returns {boolean}
 */
function createExclusively(file) {
  let descriptor;
  try {
    descriptor = openSync(file, 'wx', 0o644);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EEXIST') return false;
    throw error;
  }
  writeSync(descriptor, JSON.stringify(identifyProcess(process.pid)));
  closeSync(descriptor);
  return true;
}

/**
 * @param {string} file
 * @returns {{ release: () => void }}
 */
function held(file) {
  return {
    release() {
      const holder = readHolder(file);
      if (typeof holder === 'object' && holder.pid === process.pid) rmSync(file, { force: true });
    },
  };
}

/**
 * @param {string} file
 * @returns {ProcessIdentity | 'unreadable' | undefined} undefined when the file is gone or was left without a holder
 */
function readHolder(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    const ageMs = fileAgeMs(file);
    return ageMs !== undefined && ageMs < UNREADABLE_MAX_MS ? 'unreadable' : undefined;
  }
}

/**
 * @param {string} file
 * @returns {number | undefined}
 */
function fileAgeMs(file) {
  try {
    return Date.now() - statSync(file).mtimeMs;
  } catch {
    return undefined;
  }
}

/**
 * Removes a dead holder's file. Guarded by a second file, so that of two takers the slower one cannot remove the lock
 * that the faster one has made in the meantime.
 * @param {string} file
 * @param {ProcessIdentity | undefined} deadHolder
 */
function takeOver(file, deadHolder) {
  const guard = `${file}.takeover`;
  if (!createExclusively(guard)) {
    if ((fileAgeMs(guard) ?? 0) > TAKE_OVER_MAX_MS) rmSync(guard, { force: true });
    return;
  }
  try {
    const current = readHolder(file);
    const unchanged =
      current === undefined ||
      (typeof current === 'object' && deadHolder !== undefined && sameProcess(current, deadHolder));
    if (unchanged) rmSync(file, { force: true });
  } finally {
    rmSync(guard, { force: true });
  }
}

/**
 * @param {ProcessIdentity} a
 * @param {ProcessIdentity} b
 */
function sameProcess(a, b) {
  return a.pid === b.pid && a.startTime === b.startTime;
}
