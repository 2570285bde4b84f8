// What became of each fault, one file per fault in var/planted-faults/, so that a run that was ended goes on.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inRoot } from '../../tools/bootstrap/root.mjs';
import { hashFiles, listFiles } from '../../tools/bootstrap/stamp.mjs';

const FOLDER = inRoot('var', 'planted-faults');
const NOT_CODE = new Set(['node_modules', 'dist', 'var', 'coverage', 'generated', 'planted-faults', 'docs']);

/**
 * `not_built`: the copy does not compile; `no_end`: the searcher did not end in its time; `broken`: it failed by
 * itself.
 * @typedef {'found' | 'not_found' | 'not_built' | 'no_end' | 'broken'} Outcome
 */

/**
 * @typedef {object} Result
 * @property {Outcome} outcome
 * @property {string | null} seed what the searcher printed with its failure
 * @property {number} seconds how long the last search took
 * @property {number | null} processorSeconds of all searches; null: the searcher does not tell
 * @property {string} by its command
 * @property {string} question a hash of the fault and the command
 * @property {string} code a hash of the code
 * @property {string} at when it ended
 */

/** @param {string} name */
export function logOf(name) {
  return join(FOLDER, 'logs', `${name}.log`);
}

/**
 * @param {string} tree
 * @returns {string} a hash of its code, without the faults themselves
 */
export function codeHash(tree) {
  const files = listFiles(tree, (name) => /\.(ts|tsx|mjs|sql|prisma|json)$/.test(name), NOT_CODE);
  return hashFiles(files, tree);
}

/**
 * @param {{ name: string, from?: string, to?: string }} fault
 * @param {string} by
 */
export function questionOf({ name, from, to }, by) {
  return createHash('sha256')
    .update(JSON.stringify([name, from, to, by]))
    .digest('hex');
}

/**
 * @param {string} name
 * @returns {Result | null}
 */
export function readResult(name) {
  const file = fileOf(name);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
}

/**
 * @param {string} name
 * @param {Result} result
 */
export function writeResult(name, result) {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(fileOf(name), `${JSON.stringify(result, null, 2)}\n`);
}

/** @param {string} name */
export function forgetResult(name) {
  rmSync(fileOf(name), { force: true });
}

/** @param {string} name */
function fileOf(name) {
  return join(FOLDER, `${name}.json`);
}
