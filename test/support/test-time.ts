// The time of tests without a Temporal server. It stands still while anything happens. It jumps in `sleep`, from one
// moment at which something is due to the next. Otherwise it passes as real time does, so that a test may also wait.
import { performance } from 'node:perf_hooks';
import { setImmediate as turn } from 'node:timers/promises';
import { VirtualClock } from '../../lab/machine/clock.js';
import type { RunClock } from '../../lab/temporal/host.js';

/** So many turns of Node without anything mean that nothing more comes. */
const QUIET_TURNS = 3;
/** A timer of Node takes no more. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

interface Sleep {
  readonly untilMs: number;
  readonly wake: () => void;
}

export class TestTime implements RunClock {
  readonly #clock: VirtualClock;
  #sleeps: Sleep[] = [];
  #underWay = 0;
  #isClosed = false;
  #wake: () => void = () => undefined;

  constructor(startMs: number) {
    this.#clock = new VirtualClock(startMs);
    void this.#pass();
  }

  get nowMs(): number {
    return this.#clock.nowMs;
  }

  after(milliseconds: number, action: () => void): () => void {
    const stop = this.#clock.after(milliseconds, action);
    this.#wake();
    return stop;
  }

  /** No process of a test is frozen. */
  thawed(): null {
    return null;
  }

  /** Time is not skipped before this has ended, as Temporal skips none while an activity runs. */
  async during<T>(work: Promise<T>): Promise<T> {
    this.#underWay += 1;
    try {
      return await work;
    } finally {
      this.#underWay -= 1;
      this.#wake();
    }
  }

  /** Skips time; everything that falls due meanwhile happens. */
  sleep(milliseconds: number): Promise<void> {
    return new Promise<void>((wake) => {
      this.#sleeps.push({ untilMs: this.nowMs + milliseconds, wake });
      this.#sleeps.sort((one, other) => one.untilMs - other.untilMs);
      this.#wake();
    });
  }

  /** Nothing happens any more, and who sleeps wakes up. */
  close(): void {
    this.#isClosed = true;
    for (const { wake } of this.#sleeps.splice(0)) wake();
    this.#wake();
  }

  async #pass(): Promise<void> {
    while (!this.#isClosed) {
      if (this.#clock.nextAtMs <= this.nowMs) {
        this.#clock.step();
        await turn();
      } else if (this.#sleeps[0] !== undefined && this.#sleeps[0].untilMs <= this.nowMs && this.#underWay > 0) {
        // It passed as real time does, because an activity ran.
        this.#sleeps.shift()?.wake();
        await turn();
      } else if (this.#sleeps[0] === undefined || this.#underWay > 0) await this.#letRealTimePass();
      else if (await this.#isQuiet()) this.#jump(this.#sleeps[0]);
    }
  }

  async #isQuiet(): Promise<boolean> {
    for (let turns = 0; turns < QUIET_TURNS; turns += 1) {
      if (this.#underWay > 0 || this.#clock.nextAtMs <= this.nowMs) return false;
      await turn();
    }
    return true;
  }

  #jump(sleep: Sleep): void {
    if (this.#clock.nextAtMs <= sleep.untilMs) {
      this.#clock.step();
      return;
    }
    this.#clock.nowMs = Math.max(this.nowMs, sleep.untilMs);
    this.#sleeps.shift();
    sleep.wake();
  }

  /** Until something is due, or something happens. */
  async #letRealTimePass(): Promise<void> {
    const beganMs = performance.now();
    const dueMs = Math.min(this.#clock.nextAtMs, this.#sleeps[0]?.untilMs ?? Infinity);
    if (dueMs <= this.nowMs) return void (await turn());
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      if (dueMs !== Infinity) timer = setTimeout(resolve, Math.min(dueMs - this.nowMs, LONGEST_TIMER_MS));
    });
    clearTimeout(timer);
    const passedMs = Math.floor(performance.now() - beganMs);
    this.#clock.nowMs = Math.max(this.nowMs, Math.min(this.nowMs + passedMs, this.#clock.nextAtMs));
  }
}
