// What `npm run bench -- …` asks for.
import { parseArgs } from 'node:util';
import { Failure } from '../../tools/bootstrap/failure.mjs';
import { TEMPORAL_KINDS, type TemporalKind } from './servers.js';

export interface BenchOptions {
  /** Names of benchmarks; empty: all. */
  readonly names: readonly string[];
  /** Small sizes, to see that it works; its results are not kept. */
  readonly quick: boolean;
  /** On which kinds of Temporal those that need it run. */
  readonly temporal: readonly TemporalKind[];
  /** How many, for the benchmarks that take it. */
  readonly count?: number;
  readonly help: boolean;
}

/** Throws a {@link Failure} that names what is not understood. */
export function readBenchOptions(args: readonly string[], known: readonly string[]): BenchOptions {
  const { values, positionals } = parse(args);
  const unknown = positionals.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Failure(`There is no benchmark "${unknown}". There are: ${known.join(', ')}.`);
  const count = values.count === undefined ? {} : { count: wholeNumber(values.count) };
  return {
    names: positionals,
    quick: values.quick === true,
    temporal: temporalKinds(values.temporal ?? 'dev'),
    ...count,
    help: values.help === true,
  };
}

function wholeNumber(given: string): number {
  if (!/^[1-9]\d{0,6}$/.test(given)) throw new Failure(`--count takes a number from 1 on, not "${given}".`);
  return Number(given);
}

function temporalKinds(given: string): readonly TemporalKind[] {
  if (given === 'both') return TEMPORAL_KINDS;
  const kind = TEMPORAL_KINDS.find((one) => one === given);
  if (kind === undefined)
    throw new Failure(`There is no Temporal "${given}". There are: ${TEMPORAL_KINDS.join(', ')}, both.`);
  return [kind];
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        quick: { type: 'boolean' },
        temporal: { type: 'string' },
        count: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new Failure(`${(error as Error).message.split('\n')[0]} Options: --quick, --temporal, --count, --help.`);
  }
}
