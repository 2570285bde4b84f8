// The options of `npm run faults`.
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { Failure } from '../bootstrap/failure.mjs';
import { type Shape, SHAPES } from './environment/servers.js';
import { FAMILIES, type Family } from './scenario.js';

export interface FaultOptions {
  readonly help: boolean;
  readonly list: boolean;
  /** Only the scenarios that `npm test` runs. */
  readonly bounded: boolean;
  /** Only scenarios whose name contains one of these; all without any. */
  readonly only: readonly string[];
  readonly families: readonly Family[];
  /** How often each scenario is run, each time with the next seed. */
  readonly count: number;
  readonly seed: number;
  readonly shape: Shape;
}

const MOST_RUNS = 10_000;

/** Throws a {@link Failure} that names what is not understood. */
export function readFaultOptions(args: readonly string[]): FaultOptions {
  const { values, positionals } = parse(args);
  const unknown = positionals.find((name) => !Object.hasOwn(FAMILIES, name));
  if (unknown !== undefined)
    throw new Failure(`There is no family "${unknown}". There are: ${Object.keys(FAMILIES).join(', ')}.`);
  return {
    help: values.help === true,
    list: values.list === true,
    bounded: values.bounded === true,
    only: values.only ?? [],
    families: positionals.length === 0 ? (Object.keys(FAMILIES) as Family[]) : (positionals as Family[]),
    shape: shapeOf(values.shape),
    count: numberOf('count', values.count, 1, MOST_RUNS) ?? 1,
    seed: numberOf('seed', values.seed, 0, 2 ** 32 - 1) ?? randomInt(2 ** 32 - 1),
  };
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
        bounded: flag,
        only: { ...text, multiple: true },
        count: text,
        seed: text,
        shape: text,
      },
    });
  } catch (error) {
    throw new Failure(`${(error as Error).message.split('\n')[0]} "npm run faults -- --help" lists the options.`);
  }
}

function numberOf(name: string, text: string | undefined, least: number, most: number): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (!/^\d+$/.test(text) || number < least || number > most)
    throw new Failure(`--${name} must be a whole number from ${least} to ${most}.`);
  return number;
}

function shapeOf(text: string = SHAPES[0]): Shape {
  const shape = SHAPES.find((one) => one === text);
  if (shape === undefined) throw new Failure(`--shape must be one of ${SHAPES.join(', ')}.`);
  return shape;
}

export function helpText(): string {
  const width = Math.max(...Object.keys(FAMILIES).map((name) => name.length));
  return [
    'npm run faults [-- FAMILY … --count N --seed N --only TEXT --bounded --shape SHAPE --list]',
    '',
    'Injects faults into a gateway of real processes and checks the invariants after each scenario.',
    'Families (all without a name):',
    ...Object.entries(FAMILIES).map(([name, title]) => `  ${name.padEnd(width)}  ${title}`),
    '',
    '--count N   runs each scenario N times, each time with the next seed',
    '--seed N    starts with this seed, to repeat a run (every run prints its seed); random by default',
    '--only TEXT only scenarios whose name contains it; may be given several times',
    '--shape S   "dev" (default): Temporal\'s dev server; "cluster": as in production, Temporal\'s four roles on ' +
      'PostgreSQL and the',
    '            TLS edge (nginx) in front of the apis',
    '--bounded   a short campaign: the most important scenarios of each family',
    '--list      prints the scenarios and runs none',
    '',
    'Results are written into docs/faults.md. The exit code is 1 when something did not hold.',
  ].join('\n');
}
