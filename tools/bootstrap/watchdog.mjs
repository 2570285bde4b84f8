// Ends the processes of a parent that died without doing so itself (SIGKILL, a crash). It runs detached, learns from
// lines on its standard input what the parent has started, and acts when that input ends: the system closes it with the
// parent.
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { isStillRunning } from './process-identity.mjs';

// Everything must be gone within seconds; what is not is killed.
const GRACE_MS = 4_000;
const POLL_MS = 100;

/** @typedef {import('./watch.mjs').Watched} Watched */
/** @type {Map<number, Watched>} */
const watched = new Map();

// The parent's terminal and its signals are not ours.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.add) watched.set(message.add.pid, message.add);
  if (message.remove) watched.delete(message.remove);
}

const left = [...watched.values()].filter(isStillRunning);
for (const one of left) signal(one.wholeGroup ? -one.pid : one.pid, one.stopSignal);
const deadline = Date.now() + GRACE_MS;
while (left.some(isStillRunning) && Date.now() < deadline) await sleep(POLL_MS);
// Also when the leader has ended: what it had started itself may not have.
for (const one of left) signal(-one.pid, 'SIGKILL');

/**
 * @param {number} pid negative: a group, led by that process
 * @param {NodeJS.Signals} name
 */
function signal(pid, name) {
  try {
    process.kill(pid, name);
  } catch {
    // The process is gone.
  }
}
