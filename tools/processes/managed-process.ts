// One child process: its output goes to a log file, its end is noticed, and it can be stopped in bounded time.
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../bootstrap/failure.mjs';
import { trySignal } from './registry.js';
import type { ProcessRegistry } from './registry.js';

export interface ProcessSpec {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** Standard output and error are appended to it. */
  readonly logFile: string;
  /** The signal that asks this program to end in good order. */
  readonly stopSignal: NodeJS.Signals;
  readonly stopTimeoutMs: number;
  /** The user to run as; only root can set it. */
  readonly user?: { readonly uid: number; readonly gid: number } | undefined;
}

export interface ExitStatus {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface ManagedProcess {
  readonly name: string;
  readonly pid: number;
  /** Resolves when the process has ended, however it did. */
  readonly exited: Promise<ExitStatus>;
  /** Sends its stop signal, and kills its group when it does not end in time. */
  stop(): Promise<void>;
  /** Kills its group at once. */
  kill(): void;
}

/**
 * Starts a process as leader of a new group: Ctrl-C in the terminal reaches only the parent, which stops it in order.
 */
export async function startProcess(spec: ProcessSpec, registry: ProcessRegistry): Promise<ManagedProcess> {
  mkdirSync(dirname(spec.logFile), { recursive: true });
  const log = openSync(spec.logFile, 'a', 0o600);
  const child = spawn(spec.command, spec.args, {
    cwd: spec.cwd,
    env: spec.env,
    detached: true,
    stdio: ['ignore', log, log],
    ...(spec.user === undefined ? {} : { uid: spec.user.uid, gid: spec.user.gid }),
  });
  closeSync(log);
  // At once: dying between start and registration would leave an unknown process behind.
  if (child.pid !== undefined) registry.add(child.pid, spec.name, spec.stopSignal);
  const exited = new Promise<ExitStatus>((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })));
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (error) =>
      reject(new Failure(`${spec.name} cannot be started (${spec.command}): ${error.message}`)),
    );
  });
  const pid = child.pid as number;
  void exited.then(() => registry.remove(pid));
  return {
    name: spec.name,
    pid,
    exited,
    stop: () => stopProcess(pid, exited, spec),
    kill: () => void trySignal(-pid, 'SIGKILL'),
  };
}

async function stopProcess(pid: number, exited: Promise<ExitStatus>, spec: ProcessSpec): Promise<void> {
  if (!trySignal(pid, spec.stopSignal)) return;
  const timeout = new AbortController();
  const ended = await Promise.race([
    exited.then(() => true),
    sleep(spec.stopTimeoutMs, false, { signal: timeout.signal }).catch(() => false),
  ]);
  timeout.abort();
  if (!ended) {
    trySignal(-pid, 'SIGKILL');
    await exited;
  }
}
