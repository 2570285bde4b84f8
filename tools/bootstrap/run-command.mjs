// Runs one command with its whole output in a log file, bounded in time. It has a process group of its own, which a
// watchdog ends when this process is killed, so that no build is left running.
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Failure } from './failure.mjs';
import { startWatchdog } from './watch.mjs';

/**
 * @typedef {object} CommandOptions
 * @property {string} logFile the whole output goes there
 * @property {number} timeoutMs
 * @property {string} [cwd]
 * @property {NodeJS.ProcessEnv} [env] added to the process's own
 * @property {AbortSignal} [signal] ends the command early, as its own SIGTERM would
 */

/**
 * Runs a command to its end.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {CommandOptions} options
 * @returns {Promise<{ code: number, output: string }>} throws a {@link Failure} only when it cannot be started or
 *   takes too long
 */
export async function runCommand(command, args, options) {
  mkdirSync(dirname(options.logFile), { recursive: true });
  const log = openSync(options.logFile, 'w');
  const shown = [command, ...args].join(' ');
  const watchdog = startWatchdog();
  try {
    const code = await new Promise((resolve, reject) => {
      const child = spawn(command, args, {
        cwd: options.cwd,
        env: { ...process.env, ...options.env },
        stdio: ['ignore', log, log],
        detached: true,
      });
      if (child.pid !== undefined) watchdog.add(child.pid, 'SIGTERM', true);
      const timer = setTimeout(() => {
        settle();
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
        reject(new Failure(`"${shown}" did not end within ${options.timeoutMs / 1_000} s.`, options.logFile));
      }, options.timeoutMs);
      const end = () => void (child.pid !== undefined && process.kill(-child.pid, 'SIGTERM'));
      const settle = () => {
        clearTimeout(timer);
        options.signal?.removeEventListener('abort', end);
      };
      if (options.signal?.aborted) end();
      options.signal?.addEventListener('abort', end);
      child.once('error', (error) => {
        settle();
        reject(new Failure(`"${command}" cannot be started: ${error.message}`, options.logFile));
      });
      child.once('exit', (exitCode) => {
        settle();
        if (child.pid !== undefined) watchdog.remove(child.pid);
        resolve(exitCode ?? 1);
      });
    });
    return { code, output: readFileSync(options.logFile, 'utf8') };
  } finally {
    watchdog.close();
    closeSync(log);
  }
}

/**
 * Like {@link runCommand}, for a command that has to succeed.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {CommandOptions & { what: string, shownLines?: number }} options `what` names the step in the failure's line
 * @returns {Promise<void>}
 */
export async function mustRun(command, args, options) {
  const { code, output } = await runCommand(command, args, options);
  if (code === 0) return;
  throw new Failure(
    `${options.what} failed (exit code ${code}):\n${lastLines(output, options.shownLines ?? 15)}`,
    options.logFile,
  );
}

/**
 * @param {string} text
 * @param {number} count
 * @returns {string} its last lines, indented
 */
export function lastLines(text, count) {
  return text
    .trimEnd()
    .split('\n')
    .slice(-count)
    .map((line) => `    ${line}`)
    .join('\n');
}
