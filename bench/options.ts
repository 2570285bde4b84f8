// What `npm run bench -- …` asks for.
import { parseArgs } from 'node:util';
import { Failure } from '../dev/bootstrap/failure.mjs';

export interface BenchOptions {
  /** Names of benchmarks; empty: all. */
  readonly names: readonly string[];
  /** Small sizes, to see that it works; its results are not kept. */
  readonly quick: boolean;
  readonly help: boolean;
}

/** Throws a {@link Failure} that names what is not understood. */
export function readBenchOptions(args: readonly string[], known: readonly string[]): BenchOptions {
  const { values, positionals } = parse(args);
  const unknown = positionals.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Failure(`There is no benchmark "${unknown}". There are: ${known.join(', ')}.`);
  return { names: positionals, quick: values.quick === true, help: values.help === true };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options: { quick: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } });
  } catch (error) {
    throw new Failure(`${(error as Error).message.split('\n')[0]} Options: --quick, --help.`);
  }
}
