// The parent's side of the watchdog: reports to it what was started and what has ended.
import { spawn } from 'node:child_process';
import { identifyProcess } from './process-identity.mjs';
import { inRoot } from './root.mjs';

/**
 * A process that was started as the leader of its own group.
 * @typedef {object} Watched
 * @property {number} pid
 * @property {string} startTime
 * @property {NodeJS.Signals} stopSignal asks it to end in good order
 * @property {boolean} wholeGroup whether the signal goes to its whole group
 */

/**
 * Starts a watchdog for this process.
 * @returns {{
 *   add: (pid: number, stopSignal: NodeJS.Signals, wholeGroup: boolean) => Watched | undefined,
 *   remove: (pid: number) => void,
 *   close: () => void,
 * }}
 *   `add` gives undefined for a process that has ended already; `close` makes the watchdog end all that was not removed
 */
export function startWatchdog() {
  const watchdog = spawn(process.execPath, [inRoot('tools', 'bootstrap', 'watchdog.mjs')], {
    detached: true,
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // Neither the watchdog nor its pipe keeps this process alive; a watchdog that cannot be written to is gone.
  watchdog.unref();
  watchdog.on('error', () => undefined);
  watchdog.stdin.on('error', () => undefined);
  if ('unref' in watchdog.stdin && typeof watchdog.stdin.unref === 'function') watchdog.stdin.unref();
  const send = (/** @type {object} */ message) => void watchdog.stdin.write(`${JSON.stringify(message)}\n`);
  return {
    add(pid, stopSignal, wholeGroup) {
      const identity = identifyProcess(pid);
      if (identity === undefined) return undefined;
      const watched = { ...identity, stopSignal, wholeGroup };
      send({ add: watched });
      return watched;
    },
    remove: (pid) => send({ remove: pid }),
    close: () => void watchdog.stdin.end(),
  };
}
