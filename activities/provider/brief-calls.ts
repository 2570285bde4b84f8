// Provider calls while a caller waits: a few at a time, and none while the provider is slow. If there is no answer
// here, an activity that nobody waits for asks again.
import { BRIEF_CALLS_AT_ONCE } from '../../contract/temporal/time-limits.js';
import { within } from '../within.js';

const SLOW_AFTER_MS = 1_000;
/** How long to skip a provider after a slow call. */
const SKIP_MS = 10_000;

export class BriefCalls {
  readonly #lines = new Map<string, { running: number; skippedUntilMs: number }>();

  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  /** The answer; null if none comes in time, it is inconclusive, or the provider is skipped or busy. */
  async ask<Answer>(provider: string, withinMs: number, call: () => Promise<Answer>): Promise<Answer | null> {
    const line = this.#lineOf(provider);
    if (withinMs <= 0 || line.running >= BRIEF_CALLS_AT_ONCE || this.nowMs() < line.skippedUntilMs) return null;
    line.running += 1;
    const slow = setTimeout(() => {
      line.skippedUntilMs = this.nowMs() + SKIP_MS;
    }, SLOW_AFTER_MS);
    try {
      return await within(withinMs, call());
    } catch {
      return null;
    } finally {
      clearTimeout(slow);
      line.running -= 1;
    }
  }

  #lineOf(provider: string) {
    const line = this.#lines.get(provider) ?? { running: 0, skippedUntilMs: 0 };
    this.#lines.set(provider, line);
    return line;
  }
}
