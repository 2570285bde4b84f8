// What `npm run fuzz -- …` asks for.
import { parseArgs } from 'node:util';
import { Failure } from '../bootstrap/failure.mjs';

export interface FuzzOptions {
  /** Generated requests per operation and phase, at most. */
  readonly count: number;
  readonly seconds: number;
  /** Same seed, same requests; undefined: a new one, which the report names. */
  readonly seed: number | undefined;
}

const LONG = { count: 200, seconds: 900 };
const BOUNDED = { count: 20, seconds: 45 };

/** Throws a {@link Failure} that names the option at fault. */
export function readFuzzOptions(args: readonly string[]): FuzzOptions {
  const values = parse(args);
  const defaults = values.bounded === true ? BOUNDED : LONG;
  return {
    count: wholeNumber('--count', values.count, 1) ?? defaults.count,
    seconds: wholeNumber('--seconds', values.seconds, 1) ?? defaults.seconds,
    seed: wholeNumber('--seed', values.seed, 0),
  };
}

function parse(args: readonly string[]) {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({ args: [...args], options: { bounded: { type: 'boolean' }, count: text, seconds: text, seed: text } }).values;
  } catch (error) {
    throw new Failure(`${(error as Error).message.split('\n')[0]} Options: --bounded, --count N, --seconds N, --seed N.`);
  }
}

function wholeNumber(option: string, text: string | undefined, minimum: number): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[0-9]{1,9}$/.test(text) || Number(text) < minimum) throw new Failure(`${option} must be a whole number from ${minimum}.`);
  return Number(text);
}
