// `npm start`, once everything is built: starts the stack, runs the demo, runs until interrupted.
import { ensureSampleDay } from '../../sandbox/sample-day.js';
import { formatDuration, say } from '../bootstrap/progress.mjs';
import { stopLeftovers } from '../processes/registry.js';
import { buildDocsBeside } from './docs-site.js';
import { PATHS } from './paths.js';
import { removeKeptData } from './reset.js';
import { demonstrate, inSession, stayWith } from './session.js';
import { panelPlaces } from './sandbox.js';
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
  /** Make a closed day to reconcile, in an operation of its own. */
  readonly sampleDay: boolean;
}

/** @returns the exit code; never throws */
export function start(options: StartOptions): Promise<number> {
  return inSession({
    settings: () => readSettings(process.env),
    paths: PATHS,
    stopRunning: options.reset,
    work: async (settings, own) => {
      if (options.reset) await reset();
      return run(own(new Stack(settings, process.env)), settings, options);
    },
  });
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
  if (options.sampleDay) await makeSampleDay(running);
  if (options.exit) return ok ? 0 : 1;
  buildDocsBeside();
  return stayWith(placesOf(running, settings));
}

async function makeSampleDay({ sandbox, databaseUrl, gateway }: RunningStack): Promise<void> {
  say('\nA day to reconcile');
  const places = { file: PATHS.sampleDay, baseUrl: sandbox.base_url, databaseUrl };
  const date = await ensureSampleDay(places, gateway, say);
  say(`  ✓ ${date} is closed for the operation in var/sample-day.json`);
}

/** Temporal's development server has no accounts. One that runs already (TEMPORAL_ADDRESS) has its own. */
const OPEN_TEMPORAL = 'open to every program of this machine: for sandboxes only';

/** Where everything is, for the person at the terminal. */
export function placesOf(
  { sandbox, demoOperatorUrl }: RunningStack,
  { databaseUrl, temporalAddress, ports }: StackSettings,
): [string, string][] {
  const postgres =
    databaseUrl === undefined
      ? `127.0.0.1:${ports.postgres} (address with password: DATABASE_URL in var/stack.json)`
      : 'as given in DATABASE_URL';
  return [
    ['API', sandbox.base_url],
    ['Documentation', new URL('/docs', sandbox.base_url).href],
    ['Temporal UI', sandbox.temporal_ui_url],
    ...(temporalAddress === undefined ? [['Temporal', OPEN_TEMPORAL] as [string, string]] : []),
    ...panelPlaces(sandbox),
    ['Demo operator', `${demoOperatorUrl}/state`],
    ['PostgreSQL', postgres],
    ['Credentials', 'var/sandbox.json'],
    ['Logs', 'var/logs/'],
    ['Commands', 'npm run --silent gateway -- --help'],
  ];
}
