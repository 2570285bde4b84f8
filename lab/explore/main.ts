// `npm run explore`: plays lives from seeds, several at once, until the time is over or one fails.
import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { say } from '../../tools/bootstrap/progress.mjs';
import { openTestRun, startTestPostgres, type TestRun } from '../../tools/servers/test-servers.js';
import { onTermination } from '../../tools/processes/termination.js';
import { HELP, type ExploreOptions, readOptions } from './options.js';
import type { LifeEnd } from '../life.js';
import { THEME_COUNT } from '../world/mix.js';
import type { Order } from './messages.js';
import { PlayerProcess } from './player-process.js';
import { measureProcessor, type UsedProcessor } from './processor-time.js';
import { reportFailure, Totals } from './report.js';

const LARGEST_SEED = 999_999_999;
const PROGRESS_MS = 15_000;
/** Lives under way when the time is over may end in this time. */
const LAST_LIVES_MS = 60_000;
/** … or may use so much more of processors. */
const LAST_LIVES_SECONDS = 30;
const LOOK_AT_PROCESSOR_MS = 2_000;
/** A search begins with so many lives of this size: one of each theme. */
const SMALL_LIVES = THEME_COUNT;
const SMALL_SCALE = 0.35;

/** Searches as the arguments say and prints what it finds. @returns the exit code */
export async function main(args: readonly string[]): Promise<number> {
  const options = readOptions(args);
  if (options.wantsHelp) {
    say(HELP);
    return 0;
  }
  if (options.engine === 'real') {
    const { exploreForReal } = await import('../real/search.js');
    return exploreForReal(options, options.seed ?? options.from ?? randomInt(LARGEST_SEED));
  }
  const run = await openTestRun();
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= run.close());
  const ignoreTermination = onTermination(() => void close().finally(() => process.exit(130)));
  try {
    const url = await startTestPostgres(run, process.env);
    return await new Search(options, run, url, await measureProcessor(url)).search();
  } finally {
    await close();
    ignoreTermination();
  }
}

class Search {
  readonly #totals = new Totals();
  readonly #endsAtMs: number;
  #nextSeed: number;
  #ordered = 0;
  #exitCode = 0;
  #isOver = false;
  /** A life that failed, until it is reported. */
  #found: LifeEnd | null = null;
  readonly #players = new Set<PlayerProcess>();

  constructor(
    private readonly options: ExploreOptions,
    private readonly run: TestRun,
    private readonly url: string,
    private readonly used: () => UsedProcessor,
  ) {
    this.#nextSeed = options.seed ?? options.from ?? randomInt(LARGEST_SEED);
    this.#endsAtMs = performance.now() + options.minutes * 60_000;
  }

  async search(): Promise<number> {
    const { seed, players, minutes } = this.options;
    const count = seed === null ? (players ?? Math.min(2, availableParallelism())) : 1;
    if (seed === null) say(`  · searching for ${minutes} minutes from seed ${this.#nextSeed}, ${count} lives at once`);
    const progress = setInterval(() => say(`  · ${this.#totals.line()}`), PROGRESS_MS);
    const mostMs = minutes * 60_000 + LAST_LIVES_MS;
    const cut = seed === null ? setTimeout(() => void this.#end(), mostMs) : undefined;
    const most = this.options.processorSeconds + LAST_LIVES_SECONDS;
    const watch = setInterval(() => void (this.used().seconds > most && this.#end()), LOOK_AT_PROCESSOR_MS);
    try {
      await Promise.all(Array.from({ length: count }, () => this.#play()));
    } finally {
      clearInterval(progress);
      clearInterval(watch);
      clearTimeout(cut);
    }
    // The time was over before the failure was made smaller.
    if (this.#found !== null) reportFailure(this.#found, null);
    this.#totals.report(this.options.showsCoverage, this.used());
    return this.#totals.unmet.length > 0 ? 1 : this.#exitCode;
  }

  /** The next life to play; `null`: the search is over. */
  #order(): Order | null {
    const { seed, scale, until, without, shrinks } = this.options;
    const isLast = seed !== null ? this.#totals.lives > 0 : this.#isTimeOver();
    if (this.#isOver || this.#found !== null || isLast) return null;
    const next = this.#nextSeed;
    this.#nextSeed += 1;
    this.#ordered += 1;
    const usual = seed === null && this.#ordered <= SMALL_LIVES ? SMALL_SCALE : 1;
    return {
      seed: next,
      scale: scale ?? usual,
      until,
      without,
      isTold: seed !== null,
      shrinks: shrinks && seed === null,
    };
  }

  #isTimeOver(): boolean {
    return performance.now() >= this.#endsAtMs || this.used().seconds >= this.options.processorSeconds;
  }

  async #play(): Promise<void> {
    const player = await PlayerProcess.start(this.url);
    this.#players.add(player);
    this.run.onClose(() => player.end());
    for (let order = this.#order(); order !== null; order = this.#order()) {
      const message = await player.play(order, (end) => this.#failed(end, player));
      // It was ended.
      if (this.#isOver || (this.#found !== null && this.#found.seed !== order.seed))
        return say(`  seed ${order.seed} was not played to its end`);
      if (message.kind === 'broken') return this.#broken(order, message.text);
      if (message.kind !== 'played' && message.kind !== 'failed') continue;
      this.#totals.add(message.end, message.kind === 'played' ? message.coverage : []);
      if (message.kind !== 'failed') continue;
      this.#exitCode = 1;
      this.#found = null;
      reportFailure(message.end, message.shrunk);
      return this.#end();
    }
    await player.end();
  }

  /** One failed: nothing else is searched while it is made smaller. */
  #failed(end: LifeEnd, by: PlayerProcess): void {
    if (this.#found !== null) return;
    this.#found = end;
    this.#exitCode = 1;
    say(`  · seed ${end.seed} failed (${end.findings[0]?.rule ?? ''}): making it smaller …`);
    for (const player of this.#players) if (player !== by) void player.end();
  }

  /** Ends every life that is under way. */
  async #end(): Promise<void> {
    this.#isOver = true;
    await Promise.all([...this.#players].map((player) => player.end()));
  }

  #broken({ seed, scale }: Order, text: string): Promise<void> {
    this.#exitCode = 1;
    say(`\n✗ seed ${seed} (--scale ${scale}): ${text}`);
    return this.#end();
  }
}
