// What a check found: a line for each thing, and a sum.
import { say } from '../../tools/bootstrap/progress.mjs';

export class Report {
  readonly #startedAt = performance.now();
  #passed = 0;
  #failed = 0;

  get hasFailed(): boolean {
    return this.#failed > 0;
  }

  /** Notes one thing; `work` answers what is wrong, or undefined. What it throws is wrong too. */
  async check(name: string, work: () => Promise<string | undefined>): Promise<void> {
    const wrong = await work().catch((error: unknown) => (error instanceof Error ? error.message : String(error)));
    const seconds = Math.round((performance.now() - this.#startedAt) / 1_000);
    if (wrong === undefined) this.#passed += 1;
    else this.#failed += 1;
    say(
      `  ${wrong === undefined ? 'ok   ' : 'FAILS'} ${name} (${seconds} s)${wrong === undefined ? '' : `: ${wrong}`}`,
    );
  }

  summary(): string {
    return `${this.#passed} passed, ${this.#failed} failed`;
  }
}
