// Whether something that the panel can do without for a while answers. It is asked beside whoever wants to know, who
// never waits for it.

const ASK_EVERY_MS = 2_000;
/** One answer may be late on a busy machine. */
const AWAY_AFTER = 2;

export class DependencyWatch {
  readonly #check: () => Promise<unknown>;
  readonly #nowMs: () => number;
  #failures = 0;
  #isAsking = false;
  #askedAtMs = Number.NEGATIVE_INFINITY;

  constructor(check: () => Promise<unknown>, nowMs: () => number = Date.now) {
    this.#check = check;
    this.#nowMs = nowMs;
  }

  /** As of the last answers. Asks again when they are old. */
  answers(): boolean {
    if (!this.#isAsking && this.#nowMs() - this.#askedAtMs >= ASK_EVERY_MS) void this.#ask();
    return this.#failures < AWAY_AFTER;
  }

  async #ask(): Promise<void> {
    this.#isAsking = true;
    this.#askedAtMs = this.#nowMs();
    const hasAnswered = await this.#check().then(
      () => true,
      () => false,
    );
    this.#failures = hasAnswered ? 0 : this.#failures + 1;
    this.#isAsking = false;
  }
}
