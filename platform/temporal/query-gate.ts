// Keeps reads fast, and the workers free for payments. PostgreSQL alone answers while no worker does, and when one
// operation reads more at once than its share.
import type { Reply } from './calls.js';

/**
 * How long the gate stays closed after a query that timed out. Rows are never behind an event that an operator has
 * received, so reads lose milliseconds of freshness at most.
 */
const CLOSED_FOR_MS = 3_000;

/**
 * Queries of one operation under way at once. A worker answers one in milliseconds while it has the workflow in its
 * cache; otherwise it replays a history, for which it has few slots, and all operations share them.
 */
const AT_ONCE_PER_OPERATION = 8;

export class QueryGate {
  #closedUntilMs = 0;
  readonly #underWay = new Map<string, number>();

  constructor(private readonly nowMs: () => number) {}

  /**
   * Runs the query unless the gate is closed or the operation has enough of them under way. Returns null without an
   * answer, for any reason: reads have another source.
   */
  async pass<T>(operationId: string, question: () => Promise<Reply<T | null>>): Promise<T | null> {
    const underWay = this.#underWay.get(operationId) ?? 0;
    if (this.nowMs() < this.#closedUntilMs || underWay >= AT_ONCE_PER_OPERATION) return null;
    this.#underWay.set(operationId, underWay + 1);
    try {
      const reply = await question().catch(() => ({ kind: 'closed' }) as const);
      if (reply.kind === 'unavailable') this.#closedUntilMs = this.nowMs() + CLOSED_FOR_MS;
      return reply.kind === 'answer' ? reply.value : null;
    } finally {
      this.#end(operationId);
    }
  }

  #end(operationId: string): void {
    const left = (this.#underWay.get(operationId) ?? 1) - 1;
    if (left === 0) this.#underWay.delete(operationId);
    else this.#underWay.set(operationId, left);
  }
}
