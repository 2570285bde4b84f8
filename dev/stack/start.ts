// `npm start`, once everything is built: starts the stack, runs the demo, stays until it is asked to end.
import { printError } from '../bootstrap/failure.mjs';
import { formatDuration, say } from '../bootstrap/progress.mjs';
import { runDemo } from '../demo.js';
import { stopLeftovers } from '../processes/registry.js';
import { onTermination } from '../processes/termination.js';
import { takeStackLock } from './lock.js';
import { PATHS } from './paths.js';
import { removeKeptData } from './reset.js';
import { readSettings } from './settings.js';
import type { StackSettings } from './settings.js';
import { Stack } from './stack.js';
import type { RunningStack } from './stack.js';

export interface StartOptions {
  /** End after the demo, with its result as exit code. */
  readonly exit: boolean;
  /** Remove what earlier starts kept. */
  readonly reset: boolean;
  readonly demo: boolean;
}

const EXIT_INTERRUPTED = 130;

/** @returns the exit code; never throws */
export async function start(options: StartOptions): Promise<number> {
  let release: (() => void) | undefined;
  let stack: Stack | undefined;
  const interrupted = new Promise<number>((resolve) => {
    onTermination((reason, count) => {
      if (count > 1) {
        stack?.kill();
        process.exit(EXIT_INTERRUPTED);
      }
      say(`\n${reason}: stopping (once more: at once) …`);
      resolve(EXIT_INTERRUPTED);
    });
  });
  try {
    const settings = readSettings(process.env);
    release = await takeStackLock(PATHS, options.reset);
    if (options.reset) await reset();
    stack = new Stack(settings, process.env);
    return await Promise.race([run(stack, settings, options), interrupted]);
  } catch (error) {
    printError(error);
    return 1;
  } finally {
    const startedAt = performance.now();
    await stack?.stop();
    release?.();
    if (stack?.hasStarted) say(`Everything is stopped (${formatDuration(performance.now() - startedAt)}).`);
  }
}

async function reset(): Promise<void> {
  await stopLeftovers(PATHS.processes);
  removeKeptData();
  say('  ✓ what earlier starts kept is removed');
}

async function run(stack: Stack, settings: StackSettings, options: StartOptions): Promise<number> {
  const startedAt = performance.now();
  const running = await stack.start();
  say(`\nThe gateway is up at ${running.sandbox.base_url} (${formatDuration(performance.now() - startedAt)}).`);
  const ok = options.demo ? await demonstrate(running) : true;
  if (options.exit) return ok ? 0 : 1;
  printPlaces(running, settings);
  say('\nRunning until Ctrl-C.');
  return new Promise(() => setInterval(() => undefined, 60_000));
}

/** A demo that fails, however it does, leaves the stack running: there is something to look at. */
async function demonstrate({ sandbox, demoOperatorUrl, gateway }: RunningStack): Promise<boolean> {
  const startedAt = performance.now();
  say('');
  try {
    const { ok } = await runDemo({ sandbox, demoOperatorUrl, print: say, gateway });
    say(`\n${ok ? '✓ The demo ended as it should' : '✗ The demo did not end as it should'} (${formatDuration(performance.now() - startedAt)}).`);
    return ok;
  } catch (error) {
    say('\n✗ The demo failed:');
    printError(error);
    return false;
  }
}

function printPlaces({ sandbox, demoOperatorUrl }: RunningStack, { databaseUrl, ports }: StackSettings): void {
  const postgres = databaseUrl === undefined ? `127.0.0.1:${ports.postgres} (address with password: DATABASE_URL in var/stack.json)` : 'as given in DATABASE_URL';
  const places: [string, string][] = [
    ['API', sandbox.base_url],
    ['Temporal UI', sandbox.temporal_ui_url],
    ['Panel', 'in a later release; until then reviews are decided with: npm run --silent gateway -- review list'],
    ['Demo operator', `${demoOperatorUrl}/state`],
    ['PostgreSQL', postgres],
    ['Credentials', 'var/sandbox.json'],
    ['Logs', 'var/logs/'],
    ['Commands', 'npm run --silent gateway -- --help'],
  ];
  say('');
  for (const [name, place] of places) say(`  ${name.padEnd(14)} ${place}`);
}
