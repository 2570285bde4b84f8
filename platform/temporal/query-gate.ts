// Keeps reads fast while no worker answers: after a query that timed out, PostgreSQL alone answers for a moment.
import type { Reply } from './calls.js';

/**
 * How long the gate stays closed. Rows are never behind an event that an operator has received, so reads lose
 * milliseconds of freshness at most.
 */
const CLOSED_FOR_MS = 3_000;

export class QueryGate {
  #closedUntilMs = 0;

  constructor(private readonly nowMs: () => number) {}

  /**
   * Runs the query unless the gate is closed. Returns null without an answer, for any reason: reads have another
   * source.
   */
  async pass<T>(question: () => Promise<Reply<T | null>>): Promise<T | null> {
    if (this.nowMs() < this.#closedUntilMs) return null;
    const reply = await question().catch(() => ({ kind: 'closed' }) as const);
    if (reply.kind === 'unavailable') this.#closedUntilMs = this.nowMs() + CLOSED_FOR_MS;
    return reply.kind === 'answer' ? reply.value : null;
  }
}
