// `npm run faults`: plays the chosen scenarios one after the other and says what held.
import { parseArgs } from 'node:util';
import { Failure } from '../../tools/bootstrap/failure.mjs';
import { formatDuration, say } from '../../tools/bootstrap/progress.mjs';
import { onTermination } from '../../tools/processes/termination.js';
import { SHAPES, type Shape, startServers } from '../harness/servers.js';
import { startEnvironment } from './environment/environment.js';
import type { Scenario } from './scenario.js';
import { play, SCENARIOS } from './scenarios.js';

const HELP = `npm run faults [-- TEXT … --at dev|cluster --list]

Attacks a gateway of real processes, fills its disk, and searches for what leaks (docs/faults.md). With texts only the
scenarios whose name contains one of them.

--at SHAPE   dev (default): Temporal's dev server. cluster: as in production: Temporal's four roles on PostgreSQL, the
             TLS edge in front of the apis, and webhooks delivered by workers of their own
--list       prints the scenarios and what must hold, and plays none

The exit code is 1 when something did not hold.`;

/** @returns the exit code: 0 when everything held */
export async function main(args: readonly string[]): Promise<number> {
  const { values, positionals } = parse(args);
  const shape = SHAPES.find((name) => name === (values.at ?? SHAPES[0]));
  if (shape === undefined) throw new Failure(`--at must be one of ${SHAPES.join(', ')}.`);
  const chosen = SCENARIOS.filter(
    ({ name, at = shape }) =>
      at === shape && (positionals.length === 0 || positionals.some((text) => name.includes(text))),
  );
  if (chosen.length === 0) throw new Failure(`No scenario at ${shape} is called so. --list prints them.`);
  if (values.help === true) say(HELP);
  else if (values.list === true) for (const { name, holds } of chosen) say(`${name}\n    ${holds}`);
  else return playAll(chosen, shape);
  return 0;
}

function parse(args: readonly string[]) {
  const flag = { type: 'boolean' } as const;
  const options = { help: { ...flag, short: 'h' }, list: flag, at: { type: 'string' } } as const;
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (error) {
    throw new Failure(`${(error as Error).message.split('\n')[0]} "npm run faults -- --help" lists the options.`);
  }
}

async function playAll(chosen: readonly Scenario[], shape: Shape): Promise<number> {
  const servers = await startServers(shape);
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= servers.close());
  onTermination((reason, times) => {
    if (times > 1) process.exit(130);
    say(`\n${reason}: ending the campaign …`);
    void close().finally(() => process.exit(130));
  });
  let failed = 0;
  try {
    const environment = await startEnvironment(servers);
    for (const scenario of chosen) {
      const startedAt = performance.now();
      const problem = await play(environment, scenario).then(
        () => null,
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      );
      if (problem !== null) failed += 1;
      say(`  ${problem === null ? '✓' : '✗'} ${scenario.name} (${formatDuration(performance.now() - startedAt)})`);
      if (problem !== null) say(`      ${problem}`);
    }
    await environment.close();
  } finally {
    await close();
  }
  say(failed === 0 ? `\nEverything held: ${chosen.length}.` : `\n${failed} of ${chosen.length} did not hold.`);
  return failed === 0 ? 0 : 1;
}
