// Provider calls while a caller waits: a few at a time, and none while the provider is slow. If there is no answer
// here, a regular activity tries again without a caller waiting for it.
import { type AccountName, slotOf } from '../../domain/provider-accounts.js';
import { BRIEF_CALLS_AT_ONCE } from '../../contract/temporal/workers.js';
import { within } from '../within.js';

const SLOW_AFTER_MS = 1_000;
/** How long to skip a provider after a slow call. */
const SKIP_MS = 10_000;

/** How many brief calls of a process wait for each slot, all its accounts and kinds of calls together. */
export class BriefSlots {
  readonly #taken = new Map<string, number>();

  /** `false` if all are taken. */
  take(account: string): boolean {
    const slot = slotOf(account as AccountName);
    const taken = this.#taken.get(slot) ?? 0;
    if (taken >= BRIEF_CALLS_AT_ONCE) return false;
    this.#taken.set(slot, taken + 1);
    return true;
  }

  free(account: string): void {
    const slot = slotOf(account as AccountName);
    this.#taken.set(slot, (this.#taken.get(slot) ?? 1) - 1);
  }
}

/** Brief calls of one kind: a provider that is slow to create charges may still answer look-ups. */
export class BriefCalls {
  readonly #skippedUntilMs = new Map<string, number>();

  constructor(
    private readonly nowMs: () => number = () => performance.now(),
    private readonly slots = new BriefSlots(),
  ) {}

  /** The answer; `null` if none comes in time, it is inconclusive, or the provider is skipped or busy. */
  async ask<Answer>(provider: string, withinMs: number, call: () => Promise<Answer>): Promise<Answer | null> {
    const isSkipped = this.nowMs() < (this.#skippedUntilMs.get(provider) ?? 0);
    if (withinMs <= 0 || isSkipped || !this.slots.take(provider)) return null;
    const slow = setTimeout(() => {
      this.#skippedUntilMs.set(provider, this.nowMs() + SKIP_MS);
    }, SLOW_AFTER_MS);
    try {
      return await within(withinMs, call());
    } catch {
      return null;
    } finally {
      clearTimeout(slow);
      this.slots.free(provider);
    }
  }
}
