// The options of `npm run faults`.
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { Failure } from '../bootstrap/failure.mjs';
import { FAMILIES, type Family } from './scenario.js';
import { DEFAULT_SETTING, SETTING_NAMES, type SettingName, SETTINGS } from './settings.js';

export interface FaultOptions {
  readonly help: boolean;
  readonly list: boolean;
  /** Only the most important scenarios of each family. */
  readonly bounded: boolean;
  /** Only scenarios without a result that names its commit; those never played come first. */
  readonly stale: boolean;
  /** Only scenarios whose name contains one of these; all without any. */
  readonly only: readonly string[];
  readonly families: readonly Family[];
  /** How often each scenario is run, each time with the next seed. */
  readonly count: number;
  readonly seed: number;
  readonly setting: SettingName;
  /** Judges what gateway and bank say to each other. */
  readonly record: boolean;
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
    stale: values.stale === true,
    record: values.record === true,
    only: values.only ?? [],
    families: positionals.length === 0 ? (Object.keys(FAMILIES) as Family[]) : (positionals as Family[]),
    setting: settingOf(values.at),
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
        stale: flag,
        record: flag,
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

function numberOf(name: string, text: string | undefined, least: number, most: number): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (!/^\d+$/.test(text) || number < least || number > most)
    throw new Failure(`--${name} must be a whole number from ${least} to ${most}.`);
  return number;
}

function settingOf(text: string = DEFAULT_SETTING): SettingName {
  const setting = SETTING_NAMES.find((name) => name === text);
  if (setting === undefined) throw new Failure(`--at must be one of ${SETTING_NAMES.join(', ')}.`);
  return setting;
}

export function helpText(): string {
  const width = Math.max(...Object.keys(FAMILIES).map((name) => name.length));
  return [
    'npm run faults [-- FAMILY … --count N --seed N --only TEXT --bounded --stale --at SETTING --record --list]',
    '',
    'Injects faults into a gateway of real processes and checks the invariants after each scenario.',
    'Families (all without a name):',
    ...Object.entries(FAMILIES).map(([name, title]) => `  ${name.padEnd(width)}  ${title}`),
    '',
    '--count N   runs each scenario N times, each time with the next seed',
    '--seed N    starts with this seed, to repeat a run (every run prints its seed); random by default',
    '--only TEXT only scenarios whose name contains it; may be given several times',
    '--at S      plays it on one of these, which keep results of their own:',
    ...SETTING_NAMES.map((name) => `              ${name.padEnd(8)} ${SETTINGS[name].help}`),
    '--record    records what gateway and bank say to each other, and judges it by the published document that',
    '            API_PIX_DOCUMENT (efi, api-pix) or WOOVI_DOCUMENT names: what it does not allow has not held',
    '--bounded   a short campaign: the most important scenarios of each family',
    '--stale     only scenarios that have no result in that setting, or one that names no commit',
    '--list      prints the scenarios and runs none',
    '',
    'Results are written into docs/faults.md. The exit code is 1 when something did not hold.',
  ].join('\n');
}
