// Lets the searcher look for one fault: copies the tree, plants the fault, builds, searches, and removes the copy.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../tools/bootstrap/failure.mjs';
import { inRoot } from '../../tools/bootstrap/root.mjs';
import { runCommand } from '../../tools/bootstrap/run-command.mjs';
import { copyTree, plant } from './plant.mjs';
import { logOf } from './results.mjs';

const BUILD_MS = 10 * 60_000;
/** For the searcher to start its servers, and to shrink and print what it found. */
const BEYOND_MS = 4 * 60_000;

/**
 * @typedef {object} Search
 * @property {string} home where the copies are made
 * @property {string} tree the unchanged copy
 * @property {string} by
 * @property {boolean} isSeeded whether it prints a seed with what it finds; without one it only failed
 * @property {number} minutes
 * @property {AbortSignal} signal ends it early
 */

/**
 * @typedef {Pick<import('./results.mjs').Result, 'outcome' | 'seed' | 'seconds'>} Found
 */

/**
 * @param {Search} search
 * @param {string} name names the copy and the log
 * @param {import('./faults/index.mjs').PlantedFault | null} fault null for the unchanged tree
 * @returns {Promise<Found>}
 */
export async function searchFor({ home, tree, by, isSeeded, minutes, signal }, name, fault) {
  const folder = join(home, name);
  const logFile = logOf(name);
  try {
    copyTree(tree, folder, inRoot('node_modules'));
    if (fault !== null) plant(folder, fault);
    const within = { cwd: folder, env: withoutNpm(), logFile, signal };
    if (!(await isBuilt(within))) return { outcome: 'not_built', seed: null, seconds: 0 };
    const [command = '', ...args] = by.trim().split(/\s+/);
    const startedAt = performance.now();
    const ended = await ending(command, args, { ...within, timeoutMs: minutes * 60_000 + BEYOND_MS });
    return { ...judged(ended, isSeeded), seconds: Math.round((performance.now() - startedAt) / 1_000) };
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/**
 * Builds the unchanged copy, so that a copy of it compiles only what its fault changes.
 * @param {Pick<Search, 'tree' | 'signal'>} search
 * @returns {Promise<void>} throws a {@link Failure} if it cannot be built
 */
export async function buildUnchanged({ tree, signal }) {
  const logFile = logOf('build');
  if (!(await isBuilt({ cwd: tree, env: withoutNpm(), logFile, signal })))
    throw new Failure('The unchanged tree cannot be built.', logFile);
}

/** @param {Omit<import('../../tools/bootstrap/run-command.mjs').CommandOptions, 'timeoutMs'>} within */
async function isBuilt(within) {
  const ended = await ending(process.execPath, [join('tools', 'build.mjs')], { ...within, timeoutMs: BUILD_MS });
  return ended?.code === 0;
}

/**
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import('../../tools/bootstrap/run-command.mjs').CommandOptions} options
 * @returns {Promise<{ code: number, output: string } | null>} null when it did not end in its time
 */
async function ending(command, args, options) {
  try {
    return await runCommand(command, args, options);
  } catch (error) {
    if (error instanceof Failure) return null;
    throw error;
  }
}

/**
 * @param {{ code: number, output: string } | null} ended
 * @param {boolean} isSeeded
 * @returns {Omit<Found, 'seconds'>}
 */
export function judged(ended, isSeeded) {
  if (ended === null) return { outcome: 'no_end', seed: null };
  if (ended.code === 0) return { outcome: 'not_found', seed: null };
  const seed = seedIn(ended.output);
  if (ended.code !== 1 || (isSeeded && seed === null)) return { outcome: 'broken', seed: null };
  return { outcome: 'found', seed };
}

/**
 * @param {string} output
 * @returns {string | null} the last seed that it names
 */
function seedIn(output) {
  return (
    output
      .match(/\bseed[\s:=`]+[0-9][\w-]*/gi)
      ?.at(-1)
      ?.replace(/^seed[\s:=`]+/i, '') ?? null
  );
}

/** The npm that runs this program tells it about itself. The one in the copy must not hear of that. */
function withoutNpm() {
  const own = Object.keys(process.env).filter((name) => /^npm_|^INIT_CWD$/i.test(name));
  return Object.fromEntries(own.map((name) => [name, undefined]));
}
