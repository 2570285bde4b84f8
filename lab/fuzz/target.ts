// What is judged: the stack that runs from this folder, or one that is started for it and ended afterwards.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { z } from 'zod';
import { Failure } from '../../tools/bootstrap/failure.mjs';
import { step } from '../../tools/bootstrap/progress.mjs';
import { inRoot } from '../../tools/bootstrap/root.mjs';
import { readJsonFile } from '../../tools/stack/files.js';
import { PATHS } from '../../tools/stack/paths.js';

const START_TIMEOUT_MS = 5 * 60_000;
const STOP_TIMEOUT_MS = 30_000;
const ASK_TIMEOUT_MS = 2_000;
const POLL_MS = 500;
const COMMAND_TIMEOUT_MS = 30_000;

export interface Target {
  readonly baseUrl: string;
  /** Ends what was started for it. */
  close(): Promise<void>;
}

/** The running stack, or a new one. Throws a {@link Failure} when it does not come up. */
export async function openTarget(): Promise<Target> {
  const running = await runningBaseUrl();
  if (running !== undefined) return { baseUrl: running, close: () => Promise.resolve() };
  return step('starting a stack', startStack);
}

async function startStack(): Promise<Target> {
  const child = spawn(process.execPath, [inRoot('tools', 'start.mjs'), '--no-demo'], { stdio: 'ignore' });
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline && child.exitCode === null) {
    const baseUrl = await runningBaseUrl();
    if (baseUrl !== undefined) return { baseUrl, close: () => stop(child) };
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  await stop(child);
  throw new Failure('The stack did not start. "npm start" says why.');
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit', { signal: AbortSignal.timeout(STOP_TIMEOUT_MS) });
  child.kill('SIGINT');
  await ended.catch(() => child.kill('SIGKILL'));
}

/** Where the stack of this folder answers, undefined when it does not. */
async function runningBaseUrl(): Promise<string | undefined> {
  const sandbox = z.object({ base_url: z.string() }).safeParse(readJsonFile(PATHS.sandbox));
  if (!sandbox.success) return undefined;
  const { base_url: baseUrl } = sandbox.data;
  const health = await fetch(new URL('/healthz', baseUrl), { signal: AbortSignal.timeout(ASK_TIMEOUT_MS) }).catch(
    () => undefined,
  );
  return health?.status === 200 ? baseUrl : undefined;
}

/** The `gateway` command against the stack of this folder. */
export async function gatewayCommand(...args: string[]): Promise<unknown> {
  const { stdout } = await promisify(execFile)(process.execPath, [inRoot('tools', 'gateway.mjs'), ...args], {
    timeout: COMMAND_TIMEOUT_MS,
  });
  return JSON.parse(stdout);
}
