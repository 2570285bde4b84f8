// A well-behaved operator that keeps reading while something else happens: what it is answered, and how fast.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Operator } from './operator.js';

export interface ReadsResult {
  readonly answered: number;
  /** Requests without an answer or with another status than 200. */
  readonly refused: readonly string[];
  readonly medianMs: number;
  readonly slowestMs: number;
}

const PAUSE_MS = 60;

/** Reads `target` again and again, at both apis in turn, until the task is over. */
export async function servedDuring(
  operator: Operator,
  target: string,
  task: () => Promise<unknown>,
): Promise<ReadsResult> {
  let isOver = false;
  const done = task().finally(() => (isOver = true));
  done.catch(() => undefined);
  const times: number[] = [];
  const refused: string[] = [];
  while (!isOver) {
    const startedMs = performance.now();
    const answer = await operator.once({ method: 'GET', target });
    times.push(performance.now() - startedMs);
    if (answer?.status !== 200)
      refused.push(answer === null ? 'no answer' : `${answer.status} ${answer.text.slice(0, 200)}`);
    await sleep(PAUSE_MS);
  }
  await done;
  const sorted = [...times].sort((a, b) => a - b);
  return {
    answered: times.length - refused.length,
    refused,
    medianMs: sorted[Math.floor(sorted.length / 2)] ?? 0,
    slowestMs: sorted.at(-1) ?? 0,
  };
}
