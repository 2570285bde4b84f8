// Runs one command of the bootstrap with its whole output in a log file, bounded in time.
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Failure } from './failure.mjs';

/**
 * @typedef {object} CommandOptions
 * @property {string} logFile the whole output goes there
 * @property {number} timeoutMs
 * @property {string} [cwd]
 * @property {NodeJS.ProcessEnv} [env] added to the process's own
 */

/**
 * Runs a command to its end.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {CommandOptions} options
 * @returns {Promise<{ code: number, output: string }>} throws a {@link Failure} only when it cannot be started or takes too long
 */
export async function runCommand(command, args, options) {
  mkdirSync(dirname(options.logFile), { recursive: true });
  const log = openSync(options.logFile, 'w');
  const shown = [command, ...args].join(' ');
  try {
    const code = await new Promise((resolve, reject) => {
      const child = spawn(command, args, {
        cwd: options.cwd,
        env: { ...process.env, ...options.env },
        stdio: ['ignore', log, log],
      });
      const timer = setTimeout(() => {
        child.kill('SIGKILL');
        reject(new Failure(`"${shown}" did not end within ${options.timeoutMs / 1_000} s.`, options.logFile));
      }, options.timeoutMs);
      child.once('error', (error) => {
        clearTimeout(timer);
        reject(new Failure(`"${command}" cannot be started: ${error.message}`, options.logFile));
      });
      child.once('exit', (exitCode) => {
        clearTimeout(timer);
        resolve(exitCode ?? 1);
      });
    });
    return { code, output: readFileSync(options.logFile, 'utf8') };
  } finally {
    closeSync(log);
  }
}

/**
 * Like {@link runCommand}, for a command that has to succeed.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {CommandOptions & { what: string }} options `what` names the step in the failure's line
 * @returns {Promise<void>}
 */
export async function mustRun(command, args, options) {
  const { code, output } = await runCommand(command, args, options);
  if (code === 0) return;
  throw new Failure(`${options.what} failed (exit code ${code}):\n${lastLines(output, 15)}`, options.logFile);
}

/**
 * @param {string} text
 * @param {number} count
 * @returns {string} its last lines, indented
 */
export function lastLines(text, count) {
  return text.trimEnd().split('\n').slice(-count).map((line) => `    ${line}`).join('\n');
}
