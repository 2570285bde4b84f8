// Takes events out of the outbox, in every worker of the webhooks queue, and begins to deliver them: events that were
// stored by a process that does not deliver them itself.
import type { Logger } from 'pino';
import type { MemoryFirstAttempts } from '../activities/webhooks/first-attempts.js';
import type { Database } from '../store/database.js';
import { takeFromOutbox } from '../store/events/outbox.js';
import { keepRepeating } from './keep-repeating.js';

/** How long an event may wait. A look costs one statement over a table that is nearly always empty. */
const LOOK_EVERY_MS = 100;
/** The pause after a look that failed. What is there stays there. */
const FAILED_PAUSE_MS = 1_000;
const EVENTS_PER_LOOK = 50;

/** Empties the outbox until stopped. */
export function keepEmptyingOutbox(
  database: Database,
  firstAttempts: MemoryFirstAttempts,
  logger: Logger,
): { stop(): Promise<void> } {
  return keepRepeating(async () => {
    const limit = Math.min(EVENTS_PER_LOOK, firstAttempts.free);
    if (limit === 0) return LOOK_EVERY_MS;
    try {
      const taken = await takeFromOutbox(database, limit);
      for (const event of taken) firstAttempts.deliver(event);
      return taken.length === limit ? 0 : LOOK_EVERY_MS;
    } catch (error) {
      logger.warn({ error: error instanceof Error ? error.name : 'unknown' }, 'the outbox could not be read');
      return FAILED_PAUSE_MS;
    }
  });
}
