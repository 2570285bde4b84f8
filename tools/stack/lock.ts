// One stack per folder: takes the lock or names its holder; for `--reset`, ends the holder first.
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../bootstrap/failure.mjs';
import { tryLock } from '../bootstrap/lock.mjs';
import { say } from '../bootstrap/progress.mjs';
import { trySignal } from '../processes/registry.js';
import { readJsonFile } from './files.js';
import type { StackPaths } from './paths.js';

const STOP_TIMEOUT_MS = 45_000;
const POLL_MS = 200;

/** @returns a function that releases it; throws a {@link Failure} when a stack runs here already. */
export async function takeStackLock(paths: StackPaths, stopRunning: boolean): Promise<() => void> {
  const deadline = Date.now() + STOP_TIMEOUT_MS;
  let asked = false;
  for (;;) {
    const attempt = tryLock(paths.lock);
    if ('release' in attempt) return attempt.release;
    if (!stopRunning)
      throw new Failure(
        `A stack already runs from this folder (process ${attempt.holder}${whereItIs(paths)}). Use that one, or ` +
          `end it with Ctrl-C or "kill ${attempt.holder}".`,
      );
    if (Date.now() > deadline)
      throw new Failure(
        `The stack of process ${attempt.holder} did not end within ${STOP_TIMEOUT_MS / 1_000} s. End it by hand, ` +
          'then try again.',
      );
    if (!asked && attempt.holder !== 0) {
      asked = true;
      say(`  · ending the stack that runs from this folder (process ${attempt.holder}) …`);
      trySignal(attempt.holder, 'SIGTERM');
    }
    await sleep(POLL_MS);
  }
}

function whereItIs(paths: StackPaths): string {
  const stack = readJsonFile(paths.stack) as { addresses?: { base_url?: string } } | undefined;
  return stack?.addresses?.base_url === undefined ? '' : `, ${stack.addresses.base_url}`;
}
