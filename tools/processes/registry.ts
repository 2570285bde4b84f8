// The processes that a command has started. A watchdog ends them when the command is killed; from a file, the next
// command ends what the watchdog missed.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isStillRunning } from '../bootstrap/process-identity.mjs';
import { startWatchdog } from '../bootstrap/watch.mjs';
import type { Watched } from '../bootstrap/watch.mjs';

export interface RegisteredProcess extends Watched {
  readonly name: string;
}

const LEFTOVER_GRACE_MS = 5_000;
const POLL_MS = 50;

export class ProcessRegistry {
  readonly #file: string;
  readonly #watchdog = startWatchdog();
  readonly #processes = new Map<number, RegisteredProcess>();
  #isClosed = false;

  /** @param file where the list of running processes is kept, readable for the owner only */
  constructor(file: string) {
    this.#file = file;
  }

  /** Registers a process that was just started as the leader of its own group. */
  add(pid: number, name: string, stopSignal: NodeJS.Signals): void {
    if (this.#isClosed) {
      // The command ended while this process was starting.
      trySignal(-pid, 'SIGKILL');
      return;
    }
    const watched = this.#watchdog.add(pid, stopSignal, false);
    if (watched === undefined) return;
    this.#processes.set(pid, { ...watched, name });
    this.#save();
  }

  /** Forgets a process that has ended. */
  remove(pid: number): void {
    if (!this.#processes.delete(pid)) return;
    this.#watchdog.remove(pid);
    this.#save();
  }

  /** Ends the watchdog, which ends everything that is still registered. */
  close(): void {
    this.#isClosed = true;
    this.#watchdog.close();
    if (this.#processes.size === 0) rmSync(this.#file, { force: true });
  }

  #save(): void {
    mkdirSync(dirname(this.#file), { recursive: true });
    writeFileSync(this.#file, JSON.stringify([...this.#processes.values()], null, 2), { mode: 0o600 });
  }
}

/**
 * Ends what an earlier command left running, by the list it kept in `file`.
 * @returns the names of the processes that were still there
 */
export async function stopLeftovers(file: string): Promise<string[]> {
  const leftovers = readRegistered(file).filter(isStillRunning);
  for (const one of leftovers) trySignal(one.pid, one.stopSignal);
  const deadline = Date.now() + LEFTOVER_GRACE_MS;
  while (leftovers.some(isStillRunning) && Date.now() < deadline) await sleep(POLL_MS);
  for (const one of leftovers.filter(isStillRunning)) trySignal(-one.pid, 'SIGKILL');
  rmSync(file, { force: true });
  return leftovers.map((one) => one.name);
}

function readRegistered(file: string): RegisteredProcess[] {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as RegisteredProcess[];
  } catch {
    // No file, or one half-written by a killed process: the watchdog has ended them.
    return [];
  }
}

/** Sends a signal. @returns false when the process is gone */
export function trySignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}
