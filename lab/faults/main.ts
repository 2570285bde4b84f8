// `npm run faults`: runs the chosen scenarios one after the other and says what held.
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { Failure } from '../../tools/bootstrap/failure.mjs';
import { formatDuration, say } from '../../tools/bootstrap/progress.mjs';
import { onTermination } from '../../tools/processes/termination.js';
import { startEnvironment } from './environment/environment.js';
import { SHAPES, type Shape, startServers } from '../harness/servers.js';
import { type Outcome, play } from './play.js';
import { FAMILIES, type Family, type Scenario } from './scenario.js';
import { SCENARIOS } from './scenarios/index.js';

const HELP = `npm run faults [-- FAMILY … --count N --seed N --only TEXT --at dev|cluster --list]

Injects faults into a gateway of real processes and checks the invariants after each scenario (docs/faults.md).
Families (all without a name):
${Object.entries(FAMILIES)
  .map(([name, title]) => `  ${name.padEnd(9)}  ${title}`)
  .join('\n')}

--count N    runs each scenario N times, each time with the next seed
--seed N     starts with this seed, to repeat a run (every run prints its seed); random by default
--only TEXT  only scenarios whose name contains it; may be given several times
--at SHAPE   dev (default): Temporal's dev server. cluster: as in production: Temporal's four roles on PostgreSQL, the
             TLS edge in front of the apis, and webhooks delivered by workers of their own
--list       prints the scenarios and what must hold, and runs none

The exit code is 1 when something did not hold.`;

interface FaultOptions {
  readonly chosen: readonly Scenario[];
  readonly count: number;
  readonly seed: number;
  readonly shape: Shape;
}

/** @returns the exit code: 0 when everything held */
export async function main(args: readonly string[]): Promise<number> {
  const { values, positionals } = parse(args);
  if (values.help === true) {
    say(HELP);
    return 0;
  }
  const options = optionsOf(values, positionals);
  if (values.list === true) {
    for (const { family, name, holds } of options.chosen) say(`${family}: ${name}\n    ${holds}`);
    return 0;
  }
  return playAll(options);
}

function parse(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        help: { ...flag, short: 'h' },
        list: flag,
        only: { ...text, multiple: true },
        count: text,
        seed: text,
        at: text,
      },
    });
  } catch (error) {
    throw new Failure(`${(error as Error).message.split('\n')[0]} "npm run faults -- --help" lists the options.`);
  }
}

/** Throws a {@link Failure} that names what is not understood. */
function optionsOf(values: ReturnType<typeof parse>['values'], families: readonly string[]): FaultOptions {
  const unknown = families.find((name) => !Object.hasOwn(FAMILIES, name));
  if (unknown !== undefined)
    throw new Failure(`There is no family "${unknown}". There are: ${Object.keys(FAMILIES).join(', ')}.`);
  const shape = SHAPES.find((name) => name === (values.at ?? SHAPES[0]));
  if (shape === undefined) throw new Failure(`--at must be one of ${SHAPES.join(', ')}.`);
  const isChosen = ({ family, name, at = shape }: Scenario) =>
    at === shape &&
    (families.length === 0 || (families as readonly Family[]).includes(family)) &&
    (values.only ?? ['']).some((text) => name.includes(text));
  return {
    chosen: SCENARIOS.filter(isChosen),
    shape,
    count: numberOf('count', values.count, 1) ?? 1,
    seed: numberOf('seed', values.seed, 0) ?? randomInt(2 ** 32 - 1),
  };
}

function numberOf(name: string, text: string | undefined, least: number): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,10}$/.test(text) || Number(text) < least || Number(text) >= 2 ** 32)
    throw new Failure(`--${name} must be a whole number from ${least}.`);
  return Number(text);
}

async function playAll({ chosen, count, seed, shape }: FaultOptions): Promise<number> {
  say(`${chosen.length} scenarios, ${count} ${count === 1 ? 'time' : 'times'} each, from seed ${seed}.`);
  const servers = await startServers(shape);
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= servers.close());
  onTermination((reason, times) => {
    if (times > 1) process.exit(130);
    say(`\n${reason}: ending the campaign …`);
    void close().finally(() => process.exit(130));
  });
  try {
    const environment = await startEnvironment(servers);
    const outcomes: Outcome[] = [];
    try {
      for (let round = 0; round < count; round += 1)
        for (const scenario of chosen) outcomes.push(told(await play(environment, scenario, seed + round)));
    } finally {
      await environment.close();
    }
    return isAllHeld(outcomes) ? 0 : 1;
  } finally {
    await close();
  }
}

/** A run in which nothing was played proves nothing. */
function isAllHeld(outcomes: readonly Outcome[]): boolean {
  const failed = outcomes.filter(({ problems }) => problems.length > 0);
  say(
    failed.length === 0
      ? `\nEverything held: ${outcomes.length} runs.`
      : `\n${failed.length} of ${outcomes.length} runs did not hold. Repeat one with --seed and --only.`,
  );
  return failed.length === 0 && outcomes.length > 0;
}

function told(outcome: Outcome): Outcome {
  const { scenario, problems, seed, tookMs } = outcome;
  const isHeld = problems.length === 0;
  const end = `${formatDuration(tookMs)}${isHeld ? '' : `, seed ${seed}`}`;
  say(`  ${isHeld ? '✓' : '✗'} ${scenario.family}: ${scenario.name} (${end})`);
  for (const problem of problems) say(`      ${problem}`);
  return outcome;
}
