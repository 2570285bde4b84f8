// When this command is asked to end: Ctrl-C, SIGTERM, a closed terminal, and the death of the npm that runs it.
import { readFileSync } from 'node:fs';
import { identifyProcess, isStillRunning } from '../bootstrap/process-identity.mjs';

const PARENT_POLL_MS = 500;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const SHELLS = new Set(['sh', 'dash', 'bash', 'ash', 'zsh']);

/**
 * Calls `handle` for every request to end, with its reason and how many there were so far. npm does not pass its own
 * SIGKILL on to what it runs, so a command started by npm also ends when npm is gone; one started directly may outlive
 * its shell.
 * @returns ends this: from then on nothing is handled. What is still written to a closed output stays ignored
 */
export function onTermination(handle: (reason: string, count: number) => void): () => void {
  let count = 0;
  const request = (reason: string) => handle(reason, ++count);
  const outputClosed = () => request('the output was closed');
  for (const signal of SIGNALS) process.on(signal, request);
  // The reader is gone (`npm start | head`): end in good order and drop further lines.
  process.stdout.once('error', outputClosed);
  for (const output of [process.stdout, process.stderr]) output.off('error', ignore).on('error', ignore);
  const parents =
    process.env['npm_lifecycle_event'] === undefined ? undefined : watchParents(() => request('npm has ended'));
  return () => {
    for (const signal of SIGNALS) process.off(signal, request);
    process.stdout.off('error', outputClosed);
    clearInterval(parents);
  };
}

function watchParents(gone: () => void): NodeJS.Timeout {
  const parents = parentsUpToNpm()
    .map(identifyProcess)
    .filter((identity) => identity !== undefined);
  const timer = setInterval(() => {
    if (parents.every(isStillRunning)) return;
    clearInterval(timer);
    gone();
  }, PARENT_POLL_MS);
  return timer.unref();
}

/** The parent, and the grandparent when the parent is only the shell that npm runs a script in. */
function parentsUpToNpm(): number[] {
  const parent = process.ppid;
  const stat = readStat(parent);
  return stat !== undefined && SHELLS.has(stat.command) && stat.parent > 1
    ? [parent, stat.parent]
    : [parent].filter((pid) => pid > 1);
}

/** Linux only; elsewhere the direct parent is watched. */
function readStat(pid: number): { command: string; parent: number } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const open = text.indexOf('(');
    const close = text.lastIndexOf(')');
    return { command: text.slice(open + 1, close), parent: Number(text.slice(close + 2).split(' ')[1]) };
  } catch {
    return undefined;
  }
}

function ignore(): void {}
