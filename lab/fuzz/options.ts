// What `npm run fuzz -- …` asks for.
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { Failure } from '../../tools/bootstrap/failure.mjs';

export interface FuzzOptions {
  /** Generated requests per operation and phase, at most. */
  readonly count: number;
  /** How long the generating phases are repeated; undefined: they run once. */
  readonly repeatSeconds: number | undefined;
  /** The run is ended, as failed, when it takes much longer. */
  readonly limitSeconds: number;
  /** Same build and seed, same requests. */
  readonly seed: number;
  /** What is asked follows from document and seed alone, not from what was answered before. */
  readonly deterministic: boolean;
}

const LONG = { count: 200, seconds: 900 };
/** The run of `npm test -- long`. It ends by itself: after two minutes on two cores that others use, too. */
export const BOUNDED: FuzzOptions = {
  count: 4,
  repeatSeconds: undefined,
  limitSeconds: 420,
  seed: 1,
  deterministic: true,
};
const LARGEST_SEED = 999_999_999;

/** Throws a {@link Failure} that names the option at fault. */
export function asksForHelp(args: readonly string[]): boolean {
  return parse(args).help === true;
}

/** Throws a {@link Failure} that names the option at fault. */
export function readFuzzOptions(args: readonly string[]): FuzzOptions {
  const values = parse(args);
  const [count, seconds, seed] = [
    wholeNumber('--count', values.count, 1),
    wholeNumber('--seconds', values.seconds, 1),
    wholeNumber('--seed', values.seed, 0),
  ];
  if (values.bounded === true) {
    return {
      ...BOUNDED,
      count: count ?? BOUNDED.count,
      seed: seed ?? BOUNDED.seed,
      repeatSeconds: seconds,
      limitSeconds: seconds ?? BOUNDED.limitSeconds,
    };
  }
  const repeatSeconds = seconds ?? LONG.seconds;
  return {
    count: count ?? LONG.count,
    repeatSeconds,
    limitSeconds: repeatSeconds,
    seed: seed ?? randomInt(LARGEST_SEED),
    deterministic: false,
  };
}

function parse(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  try {
    return parseArgs({
      args: [...args],
      options: { bounded: flag, count: text, seconds: text, seed: text, help: { ...flag, short: 'h' } },
    }).values;
  } catch (error) {
    throw new Failure(`${(error as Error).message.split('\n')[0]} "npm run fuzz -- --help" lists the options.`);
  }
}

function wholeNumber(option: string, text: string | undefined, minimum: number): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[0-9]{1,9}$/.test(text) || Number(text) < minimum)
    throw new Failure(`${option} must be a whole number from ${minimum}.`);
  return Number(text);
}

export const HELP = `npm run fuzz [-- --count N --seconds N --seed N --bounded]

An outside judge (Schemathesis) reads the served contract and looks for a 5xx, an answer that the contract does not
have, a wrong request that is accepted and a right one that is refused as invalid. It asks a stack of its own.

--count N    requests that are made up per operation and phase, at most (${LONG.count}; bounded: ${BOUNDED.count})
--seconds N  the phases are repeated for so long (${LONG.seconds}; bounded: once)
--seed N     begins with this seed, to repeat a run (it is printed); a random one otherwise
--bounded    the run of "npm test -- long": seed ${BOUNDED.seed}, and what is asked follows from document and seed alone

The exit code is 1 when something was found. It needs python3 with venv; without, it says so and is skipped.`;
