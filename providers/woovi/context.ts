// What every call to one Woovi account needs, and the small helpers that all outcomes share.
import { type HttpAnswer, inconclusive } from '../common/http.js';
import type { WooviClient } from './client.js';
import type { WooviConfig } from './config.js';

export interface WooviContext {
  readonly client: WooviClient;
  readonly config: WooviConfig;
  /** The time limit of one call of the port, however many requests it takes. */
  readonly callTimeoutMs: number;
}

export const unknown = (reason: string) => ({ kind: 'unknown', reason }) as const;

/** Counts one budget down over several requests. */
export function left(budgetMs: number): () => number {
  const startedAtMs = performance.now();
  return () => Math.max(0, Math.floor(budgetMs - (performance.now() - startedAtMs)));
}

/** Why an answer that was not read decides nothing. */
export function reasonOf(answer: HttpAnswer): string {
  const wasFine = answer.kind === 'answered' && (answer.status === 200 || answer.status === 201);
  return wasFine ? 'unreadable_answer' : inconclusive(answer);
}
