// The options of `npm run explore`.
import { parseArgs } from 'node:util';
import { Failure } from '../../tools/bootstrap/failure.mjs';

export const HELP = `npm run explore [-- --minutes N] [--processor-seconds N] [--seed N [--until M]] [--scale X] [--players N]
  Plays whole lives of operations, players, staff and the provider in virtual time, each from a seed, with faults, and
  judges them by the provider's books and by what operators were told. Exits 1 at the first failure.

  --minutes N    how long to search (5); seeds follow each other from a random one, which is printed
  --processor-seconds N  how much of processors to use, PostgreSQL's part included: the same search on a busy machine
  --seed N       play this life only, and tell its story
  --until M      only its first M payments
  --without X    without this fault or habit; may be given again
  --from N       the first seed of a search
  --scale X      how much happens in a life, compared with a usual one (1; the first lives of a search are small)
  --players N    how many lives at once (as many as processors, at most 2)
  --engine E     fast: virtual time, in one process; real: real processes, kills and minutes (fast)
  --coverage     print everything that was reached, and how often
  --no-shrink    print a failure as it is found`;

/** A search that is bounded by processor time ends by then on any machine. */
const LONGEST_MINUTES = '120';

export interface ExploreOptions {
  readonly minutes: number;
  readonly processorSeconds: number;
  readonly seed: number | null;
  readonly until: number | null;
  readonly without: readonly string[];
  readonly from: number | null;
  /** `null`: a search begins with small lives, because most faults need no more. */
  readonly scale: number | null;
  readonly players: number | null;
  readonly engine: 'fast' | 'real';
  readonly showsCoverage: boolean;
  readonly shrinks: boolean;
  readonly wantsHelp: boolean;
}

const OPTIONS = {
  help: { type: 'boolean' },
  minutes: { type: 'string' },
  'processor-seconds': { type: 'string' },
  seed: { type: 'string' },
  until: { type: 'string' },
  without: { type: 'string', multiple: true },
  from: { type: 'string' },
  scale: { type: 'string' },
  players: { type: 'string' },
  engine: { type: 'string' },
  coverage: { type: 'boolean' },
  'no-shrink': { type: 'boolean' },
} as const;

/** Throws a {@link Failure} for what makes no sense. */
export function readOptions(args: readonly string[]): ExploreOptions {
  const values = parse(args);
  const { 'processor-seconds': processorSeconds } = values;
  const seed = values.seed === undefined ? null : whole('--seed', values.seed);
  if (values.until !== undefined && seed === null) throw new Failure(`--until goes with --seed.\n${HELP}`);
  return {
    minutes: positive('--minutes', values.minutes ?? (processorSeconds === undefined ? '5' : LONGEST_MINUTES)),
    processorSeconds: processorSeconds === undefined ? Infinity : positive('--processor-seconds', processorSeconds),
    seed,
    until: values.until === undefined ? null : whole('--until', values.until),
    without: values.without ?? [],
    from: values.from === undefined ? null : whole('--from', values.from),
    scale: values.scale === undefined ? null : positive('--scale', values.scale),
    players: values.players === undefined ? null : whole('--players', values.players),
    engine: engine(values.engine ?? 'fast'),
    showsCoverage: values.coverage === true,
    shrinks: values['no-shrink'] !== true,
    wantsHelp: values.help === true,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: false }).values;
  } catch (error) {
    throw new Failure(`${(error as Error).message}\n${HELP}`);
  }
}

function whole(option: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new Failure(`${option} takes a whole number, not "${text}".`);
  return Number(text);
}

function engine(text: string): 'fast' | 'real' {
  if (text !== 'fast' && text !== 'real') throw new Failure(`--engine takes fast or real, not "${text}".`);
  return text;
}

function positive(option: string, text: string): number {
  const number = Number(text);
  if (!(number > 0 && number < 100_000)) throw new Failure(`${option} takes a number above 0, not "${text}".`);
  return number;
}
