// The processes that one command has started: known to a watchdog, which ends them when the command is killed, and written
// to a file, from which the next command ends what even the watchdog could not.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { identifyProcess, isStillRunning } from '../bootstrap/process-identity.mjs';
import { inRoot } from '../bootstrap/root.mjs';

export interface RegisteredProcess {
  readonly pid: number;
  readonly startTime: string;
  readonly name: string;
  readonly stopSignal: NodeJS.Signals;
}

const LEFTOVER_GRACE_MS = 5_000;
const POLL_MS = 50;

export class ProcessRegistry {
  readonly #file: string;
  readonly #watchdog: ChildProcess;
  readonly #processes = new Map<number, RegisteredProcess>();

  /** @param file where the list of running processes is kept, readable for the owner only */
  constructor(file: string) {
    this.#file = file;
    this.#watchdog = spawn(process.execPath, [inRoot('dev', 'processes', 'watchdog.mjs')], {
      detached: true,
      cwd: '/',
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    // Neither the watchdog nor its pipe keeps this process alive; a watchdog that cannot be written to is gone.
    this.#watchdog.unref();
    this.#watchdog.stdin?.on('error', () => undefined);
    this.#watchdog.on('error', () => undefined);
  }

  /** Registers a process that was just started as the leader of its own group. */
  add(pid: number, name: string, stopSignal: NodeJS.Signals): void {
    const identity = identifyProcess(pid);
    if (identity === undefined) return;
    const registered = { ...identity, name, stopSignal };
    this.#processes.set(pid, registered);
    this.#watchdog.stdin?.write(`${JSON.stringify({ add: registered })}\n`);
    this.#save();
  }

  /** Forgets a process that has ended. */
  remove(pid: number): void {
    if (!this.#processes.delete(pid)) return;
    this.#watchdog.stdin?.write(`${JSON.stringify({ remove: pid })}\n`);
    this.#save();
  }

  /** Ends the watchdog, and through it whatever is still registered. */
  close(): void {
    this.#watchdog.stdin?.end();
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
    // No file, or one that was being written when its process was killed: the watchdog has done the work.
    return [];
  }
}

/** Sends a signal; false when there is nobody left to take it. */
export function trySignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}
