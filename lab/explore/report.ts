// What a search prints: its progress, what it reached, and a failure as a story that can be played again.
import { say } from '../../tools/bootstrap/progress.mjs';
import { Coverage } from '../coverage.js';
import type { LifeEnd } from '../life.js';
import type { Shrunk } from './messages.js';
import type { UsedProcessor } from './processor-time.js';

/** The end of a story says the most. */
const STORY_LINES = 60;

export class Totals {
  lives = 0;
  readonly #began = performance.now();
  #payments = 0;
  #acts = 0;
  #faults = 0;
  #hours = 0;
  #statements = 0;
  #activations = 0;
  readonly #coverage = new Coverage();

  add(end: LifeEnd, coverage: readonly (readonly [string, number])[]): void {
    this.lives += 1;
    this.#payments += end.payments;
    this.#acts += end.acts;
    this.#faults += end.faults;
    this.#hours += end.hours;
    this.#statements += end.statements;
    this.#activations += end.activations;
    this.#coverage.add(coverage);
  }

  line(): string {
    const minutes = (performance.now() - this.#began) / 60_000;
    const pace = Math.round(this.#payments / minutes);
    const { lives } = this;
    return (
      `${lives} lives, ${this.#payments} payments (${pace} a minute), ${this.#acts} acts of people, ` +
      `${this.#faults} faults, ${Math.round(this.#hours / 24)} virtual days`
    );
  }

  report(showsCoverage: boolean, { seconds, postgresSeconds }: UsedProcessor): void {
    say(`\n${this.line()}; ${this.#statements} statements, ${this.#activations} workflow tasks`);
    const pace = Math.round((this.#payments / seconds) * 120);
    say(
      `used ${Math.round(seconds)} s of processors, ${Math.round(postgresSeconds)} s of them PostgreSQL’s: ` +
        `${pace} payments a minute of two processors`,
    );
    if (showsCoverage)
      for (const [what, times] of this.#coverage.counts) say(`  ${String(times).padStart(7)}  ${what}`);
    const { missing } = this.#coverage;
    if (this.lives > 1 && missing.length > 0) say(`never reached: ${missing.join('; ')}`);
    const { cells } = this.#coverage;
    say(`state × trigger × fault: ${cells.reached} of ${cells.of} reached`);
    if (showsCoverage) for (const line of cells.missing) say(`  never with ${line}`);
    for (const what of this.unmet) say(`✗ a search of ${this.#payments} payments must meet ${what}`);
  }

  /** What a search this long must meet, and has not. */
  get unmet(): readonly string[] {
    return this.#coverage.unmet(this.#payments);
  }
}

/** Prints why a life failed, the smallest one that fails so, and how to play it again. */
export function reportFailure(found: LifeEnd, shrunk: Shrunk | null): void {
  const end = shrunk?.end ?? found;
  const [first] = end.findings;
  say(`\n✗ seed ${end.seed}: ${first?.rule ?? 'failed'}`);
  for (const { rule, detail } of end.findings.slice(0, 8)) say(`    ${rule}: ${detail}`);
  if (shrunk !== null)
    say(`  made smaller in ${shrunk.played} lives: ${end.payments} payments, ${end.faults} faults happen`);
  const names = Object.keys(end.mix.faults);
  say(`  faults of this life: ${names.length === 0 ? 'none' : names.join('; ')}`);
  say('  its story, from the end backwards to what matters:');
  for (const line of end.story.slice(-STORY_LINES)) say(`    ${line}`);
  const size = end.scale === 1 ? '' : ` --scale ${end.scale}`;
  const until = shrunk?.until == null ? '' : ` --until ${shrunk.until}`;
  const without = (shrunk?.without ?? []).map((name) => ` --without '${name}'`).join('');
  say(`\n  play it again: npm run explore -- --seed ${end.seed}${size}${until}${without}`);
  say(`  its digest is ${end.digest}: the same for every play`);
}
