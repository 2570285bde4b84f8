// The answer to an export: the file, or why there is none.
import type { FileAnswer } from '../contract/panel/route.js';
import type { Export } from '../staff/acts/export.js';
import { type Refusal, refuse } from './refusal.js';

/** The file of what was exported. */
export function saved(outcome: Export, file: Omit<FileAnswer, 'text'>): FileAnswer | Refusal {
  switch (outcome.kind) {
    case 'rate_limited':
      return refuse('rate_limited', { retry_after_seconds: outcome.retryAfterSeconds });
    case 'not_found':
      return refuse('not_found');
    case 'exported':
      return { ...file, text: outcome.text };
  }
}

/** A CSV file, named after what it has and when it was made. */
export function csvFile(of: string, now: Date): Omit<FileAnswer, 'text'> {
  return { name: `${of}-${now.toISOString().replace(/\D/g, '').slice(0, 14)}Z.csv`, type: 'text/csv' };
}
