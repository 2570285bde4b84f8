// Tells whether a process id still belongs to the process it was written down for: ids are used again by the system.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * When a process started, as an opaque string that differs between two holders of the same id; undefined when no such
 * process runs (a zombie does not run).
 * @param {number} pid
 * @returns {string | undefined}
 */
function processStartTime(pid) {
  if (process.platform === 'linux') return linuxStartTime(pid);
  const ps = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' });
  return ps.status === 0 ? ps.stdout.trim() || undefined : undefined;
}

/**
 * @param {number} pid
 * @returns {string | undefined}
 */
function linuxStartTime(pid) {
  let stat;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  // The command name (field 2, in brackets) may hold spaces and brackets itself: count from its last closing one.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state] = fields;
  return state === 'Z' || state === 'X' ? undefined : fields[19];
}

/**
 * @typedef {{ pid: number, startTime: string }} ProcessIdentity
 */

/**
 * @param {number} pid
 * @returns {ProcessIdentity | undefined} undefined when it does not run
 */
export function identifyProcess(pid) {
  const startTime = processStartTime(pid);
  return startTime === undefined ? undefined : { pid, startTime };
}

/**
 * @param {ProcessIdentity} identity
 * @returns {boolean} whether that very process still runs
 */
export function isStillRunning(identity) {
  return processStartTime(identity.pid) === identity.startTime;
}
