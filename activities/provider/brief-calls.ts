// Calls to a provider on a way where somebody waits: few at a time, and none while that provider is slow. What is not answered
// here is asked again by an activity of its own, which nobody waits for.

const MOST_AT_ONCE = 8;
const SLOW_AFTER_MS = 1_000;
/** So long a provider that was slow is not asked on this way. */
const SPARED_MS = 10_000;

export class BriefCalls {
  readonly #lines = new Map<string, { running: number; sparedUntilMs: number }>();

  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  /** The answer; null if there is none in time, none that is conclusive, or if this is no time to ask. */
  async ask<Answer>(provider: string, withinMs: number, call: () => Promise<Answer>): Promise<Answer | null> {
    const line = this.#lineOf(provider);
    if (withinMs <= 0 || line.running >= MOST_AT_ONCE || this.nowMs() < line.sparedUntilMs) return null;
    line.running += 1;
    const slow = setTimeout(() => {
      line.sparedUntilMs = this.nowMs() + SPARED_MS;
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
    const line = this.#lines.get(provider) ?? { running: 0, sparedUntilMs: 0 };
    this.#lines.set(provider, line);
    return line;
  }
}

async function within<Answer>(milliseconds: number, answer: Promise<Answer>): Promise<Answer | null> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), milliseconds);
  });
  return Promise.race([answer, timeout]).finally(() => clearTimeout(timer));
}
