// Finds programs: on PATH, and whether one that was found can be used.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/** @typedef {Readonly<Record<string, string | undefined>>} Environment */

/**
 * @typedef {object} Tool a program that was found
 * @property {string} path
 * @property {string} origin where it came from, for the user
 */

const CHECK_TIMEOUT_MS = 20_000;

/**
 * @param {string} name
 * @param {Environment} environment
 * @returns {string | undefined} the first executable file of that name on PATH
 */
export function findOnPath(name, environment) {
  return (environment['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .map((folder) => join(folder, name))
    .find(isExecutable);
}

/**
 * @param {string} path
 * @returns {boolean}
 */
export function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/**
 * Runs a short command.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, uid?: number, gid?: number }} [options]
 * @returns {string | undefined} its output; undefined when it fails or takes too long
 */
export function outputOf(command, args, options = {}) {
  const result = spawnSync(command, args, { ...options, encoding: 'utf8', timeout: CHECK_TIMEOUT_MS, cwd: '/' });
  return result.status === 0 ? result.stdout : undefined;
}
