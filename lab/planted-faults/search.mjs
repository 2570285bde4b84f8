// Lets the searcher look for one fault: plants it in the copy of the tree, builds its file, searches, and takes it out.
import { join } from 'node:path';
import { Failure } from '../../tools/bootstrap/failure.mjs';
import { runCommand } from '../../tools/bootstrap/run-command.mjs';
import { plant } from './plant.mjs';
import { logOf } from './results.mjs';

const BUILD_MS = 10 * 60_000;
/** On a busy machine a second of a processor takes many. */
const LONGEST_MS = 2 * 3_600_000;

/**
 * @typedef {object} Search
 * @property {string} tree the copy
 * @property {string} by
 * @property {boolean} isSeeded whether it prints a seed with what it finds; without one it only failed
 * @property {NodeJS.ProcessEnv} env
 * @property {AbortSignal} signal ends it early
 */

/**
 * @typedef {Pick<import('./results.mjs').Result, 'outcome' | 'seed' | 'seconds' | 'processorSeconds'>} Found
 */

/**
 * @param {Search} search
 * @param {string} name names the log
 * @param {import('./faults/index.mjs').PlantedFault | null} fault null for the unchanged tree
 * @param {string} more options of the searcher
 * @returns {Promise<Found>}
 */
export async function searchFor({ tree, by, isSeeded, env, signal }, name, fault, more) {
  const takeOut = fault === null ? () => undefined : plant(tree, fault);
  try {
    const within = { cwd: tree, env: { ...withoutNpm(), ...env }, logFile: logOf(name), signal };
    if (fault !== null && !(await isBuilt([join('lab', 'planted-faults', 'rebuild.mjs'), fault.file], within)))
      return { outcome: 'not_built', seed: null, seconds: 0, processorSeconds: null };
    const [command = '', ...args] = `${by} ${more}`.trim().split(/\s+/);
    const startedAt = performance.now();
    const ended = await ending(command, args, { ...within, timeoutMs: LONGEST_MS });
    return { ...judged(ended, isSeeded), seconds: Math.round((performance.now() - startedAt) / 1_000) };
  } finally {
    takeOut();
  }
}

/**
 * Builds the unchanged copy.
 * @param {Pick<Search, 'tree' | 'signal'>} search
 * @returns {Promise<void>} throws a {@link Failure} if it cannot be built
 */
export async function buildUnchanged({ tree, signal }) {
  const logFile = logOf('build');
  if (!(await isBuilt([join('tools', 'build.mjs')], { cwd: tree, env: withoutNpm(), logFile, signal })))
    throw new Failure('The unchanged tree cannot be built.', logFile);
}

/**
 * @param {readonly string[]} args
 * @param {Omit<import('../../tools/bootstrap/run-command.mjs').CommandOptions, 'timeoutMs'>} within
 */
async function isBuilt(args, within) {
  const ended = await ending(process.execPath, args, { ...within, timeoutMs: BUILD_MS });
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
  if (ended === null) return { outcome: 'no_end', seed: null, processorSeconds: null };
  const processorSeconds = processorSecondsIn(ended.output);
  if (ended.code === 0) return { outcome: 'not_found', seed: null, processorSeconds };
  const seed = seedIn(ended.output);
  if (ended.code !== 1 || (isSeeded && seed === null)) return { outcome: 'broken', seed: null, processorSeconds };
  return { outcome: 'found', seed, processorSeconds };
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

/** @param {string} output */
function processorSecondsIn(output) {
  const used = /used ([0-9]+) s of processors/.exec(output)?.[1];
  return used === undefined ? null : Number(used);
}

/** The npm that runs this program tells it about itself. The one in the copy must not hear of that. */
function withoutNpm() {
  const own = Object.keys(process.env).filter((name) => /^npm_|^INIT_CWD$/i.test(name));
  return Object.fromEntries(own.map((name) => [name, undefined]));
}
