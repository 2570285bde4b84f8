// Takes events that are due out of the outbox, in every worker of the webhooks queue, and begins to deliver them: those
// that were stored by a process which does not deliver them, those that somebody requested again, and those whose
// attempt was lost with the process or the workflow that had it.
import type { Logger } from 'pino';
import type { MemoryAttempts } from '../activities/webhooks/memory-attempts.js';
import type { Database } from '../store/database.js';
import { isAnyDueLately, type Look, takeDue } from '../store/events/outbox.js';
import { keepRepeating } from './keep-repeating.js';

/** How long an event may wait. A look costs one statement over a table that is nearly always empty. */
const LOOK_EVERY_MS = 100;
/** The pause after a look that failed. What is there stays there. */
const FAILED_PAUSE_MS = 1_000;
const EVENTS_PER_LOOK = 20;
/**
 * Between two looks at everything that is due. The others look at what became due lately: while an old snapshot is
 * held, a look at everything also reads every row that was removed since.
 */
const WHOLE_LOOK_EVERY_MS = 15_000;
/** Where events had to be left, the next whole look follows after this multiple of what the last one took. */
const WHOLE_LOOK_PAUSES = 10;

export interface OutboxDatabases {
  readonly database: Database;
  /** For looks at everything, which may take long. */
  readonly batchDatabase: Database;
}

/** Empties the outbox until stopped. */
export function keepEmptyingOutbox(
  databases: OutboxDatabases,
  attempts: MemoryAttempts,
  logger: Logger,
): { stop(): Promise<void> } {
  const looks = new Looks(databases, attempts);
  return keepRepeating(async () => {
    try {
      return (await looks.look()) ? 0 : LOOK_EVERY_MS;
    } catch (error) {
      logger.warn({ error: error instanceof Error ? error.name : 'unknown' }, 'the outbox could not be read');
      return FAILED_PAUSE_MS;
    }
  });
}

class Looks {
  private wholeLookAtMs = 0;
  private since: Look['since'] = null;

  constructor(
    private readonly databases: OutboxDatabases,
    private readonly attempts: MemoryAttempts,
  ) {}

  /** Answers whether there may be more to take at once. */
  async look(): Promise<boolean> {
    const limit = Math.min(EVENTS_PER_LOOK, this.attempts.free);
    if (limit === 0) {
      // What becomes due meanwhile is no longer recent later.
      this.wholeLookAtMs = 0;
      return false;
    }
    const beganMs = performance.now();
    if (this.since === 'lately' && beganMs >= this.wholeLookAtMs) this.since = null;
    const { since } = this;
    const except = this.attempts.fullOperations;
    const database = since === 'lately' ? this.databases.database : this.databases.batchDatabase;
    if (since === 'lately' && !(await isAnyDueLately(database))) return false;
    const taken = await takeDue(database, { limit, since, except });
    for (const event of taken) this.attempts.deliver(event);
    const isMore = taken.length === limit;
    const tookMs = performance.now() - beganMs;
    if (since === null) this.wholeLookAtMs = beganMs + WHOLE_LOOK_EVERY_MS;
    if (except.length > 0) this.wholeLookAtMs = Math.min(this.wholeLookAtMs, beganMs + WHOLE_LOOK_PAUSES * tookMs);
    this.since = isMore ? (taken.at(-1)?.dueAt ?? null) : 'lately';
    return isMore;
  }
}
