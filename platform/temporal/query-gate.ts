// Keeps reads fast while no worker answers: after a query that timed out, Postgres alone answers for a moment.
import type { Reply } from './calls.js';

/** Rows are never behind an event that an operator has seen (D1), so this costs freshness of milliseconds only. */
const CLOSED_FOR_MS = 3_000;

export class QueryGate {
  #closedUntilMs = 0;

  constructor(private readonly nowMs: () => number) {}

  /** Asks unless the gate is closed. Null for no answer, whatever the reason: a read has another source. */
  async pass<T>(question: () => Promise<Reply<T | null>>): Promise<T | null> {
    if (this.nowMs() < this.#closedUntilMs) return null;
    const reply = await question().catch(() => ({ kind: 'closed' }) as const);
    if (reply.kind === 'unavailable') this.#closedUntilMs = this.nowMs() + CLOSED_FOR_MS;
    return reply.kind === 'answer' ? reply.value : null;
  }
}
