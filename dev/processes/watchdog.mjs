// Ends the processes of a parent that died without doing so itself (SIGKILL, a crash). It runs detached, is told by lines on
// its standard input what the parent has started, and acts when that input ends: the system closes it with the parent.
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { isStillRunning } from '../bootstrap/process-identity.mjs';

// Everything has to be gone within seconds; whoever is not by then is killed.
const GRACE_MS = 4_000;
const POLL_MS = 100;

/** @type {Map<number, { pid: number, startTime: string, stopSignal: string }>} */
const watched = new Map();

// The parent's terminal and its signals are not ours.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.add) watched.set(message.add.pid, message.add);
  if (message.remove) watched.delete(message.remove);
}

const left = [...watched.values()];
for (const one of left) signalProcess(one, one.stopSignal);
const deadline = Date.now() + GRACE_MS;
while (left.some(isStillRunning) && Date.now() < deadline) await sleep(POLL_MS);
for (const one of left) {
  if (isStillRunning(one)) signalGroup(one);
}

/**
 * @param {{ pid: number, startTime: string }} one
 * @param {string} signal
 */
function signalProcess(one, signal) {
  if (!isStillRunning(one)) return;
  try {
    process.kill(one.pid, signal);
  } catch {
    // It ended in this very moment.
  }
}

/** @param {{ pid: number }} one started as the leader of its own group */
function signalGroup(one) {
  try {
    process.kill(-one.pid, 'SIGKILL');
  } catch {
    // It ended in this very moment.
  }
}
