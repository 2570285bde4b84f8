// A session of `npm start`, `npm run dev` or `npm run cluster`: one at a time per folder, stopped in good order.
import { printError } from '../bootstrap/failure.mjs';
import { formatDuration, say } from '../bootstrap/progress.mjs';
import { type DemoOptions, runDemo } from '../../sandbox/demo.js';
import { onTermination } from '../processes/termination.js';
import { takeStackLock } from './lock.js';
import type { StackPaths } from './paths.js';

/** All processes of a start together. */
export interface Whole {
  /** Whether there is, or was, anything to stop. */
  readonly hasStarted: boolean;
  /** Ends everything in good order. */
  stop(): Promise<void>;
  /** Ends everything at once. */
  kill(): void;
}

export interface Session<Settings> {
  /** Read first: wrong settings end the session before anything starts. */
  readonly settings: () => Settings;
  /** One session at a time holds their lock. */
  readonly paths: StackPaths;
  /** Whether to end another session that holds the lock. */
  readonly stopRunning: boolean;
  /** @returns the exit code. What is passed to `own` is stopped when `work` has returned or was interrupted. */
  readonly work: (settings: Settings, own: <Owned extends Whole>(whole: Owned) => Owned) => Promise<number>;
}

const EXIT_INTERRUPTED = 130;

/**
 * The first interruption stops in good order, the second one at once.
 * @returns the exit code; never throws
 */
export async function inSession<Settings>({
  settings: readSettings,
  paths,
  stopRunning,
  work,
}: Session<Settings>): Promise<number> {
  let release: (() => void) | undefined;
  let owned: Whole | undefined;
  const interrupted = new Promise<number>((resolve) => {
    onTermination((reason, count) => {
      if (count > 1) {
        owned?.kill();
        process.exit(EXIT_INTERRUPTED);
      }
      say(`\n${reason}: stopping (once more: at once) …`);
      resolve(EXIT_INTERRUPTED);
    });
  });
  try {
    const settings = readSettings();
    release = await takeStackLock(paths, stopRunning);
    return await Promise.race([work(settings, (whole) => (owned = whole)), interrupted]);
  } catch (error) {
    printError(error);
    return 1;
  } finally {
    const startedAt = performance.now();
    await owned?.stop();
    release?.();
    if (owned?.hasStarted) say(`Everything is stopped (${formatDuration(performance.now() - startedAt)}).`);
  }
}

/**
 * Runs the demo. When it fails, everything keeps running for inspection.
 * @returns whether it ended as it should
 */
export async function demonstrate({
  sandbox,
  demoOperatorUrl,
  gateway,
}: Pick<DemoOptions, 'sandbox' | 'demoOperatorUrl' | 'gateway'>): Promise<boolean> {
  const startedAt = performance.now();
  say('');
  try {
    const { ok } = await runDemo({ sandbox, demoOperatorUrl, gateway, print: say });
    say(
      `\n${ok ? '✓ The demo ended as it should' : '✗ The demo did not end as it should'} ` +
        `(${formatDuration(performance.now() - startedAt)}).`,
    );
    return ok;
  } catch (error) {
    say('\n✗ The demo failed:');
    printError(error);
    return false;
  }
}

/** Prints where everything is, and waits to be interrupted. */
export function stayWith(places: readonly (readonly [name: string, place: string])[]): Promise<never> {
  say('');
  for (const [name, place] of places) say(`  ${name.padEnd(14)} ${place}`);
  say('\nRunning until Ctrl-C.');
  return new Promise(() => setInterval(() => undefined, 60_000));
}
