// Sends alerts on, in every worker of the webhooks queue. A loop of the process and not a workflow, because alerts are
// also about people who reach Temporal.
import { type NoticeDependencies, sendDueNotices } from '../activities/alert-notices/send.js';
import { keepRepeating } from './keep-repeating.js';

/** A look costs one statement over a table that is nearly always empty. */
const LOOK_EVERY_MS = 1_000;
/** The pause after a look that failed. What is due stays due. */
const FAILED_PAUSE_MS = 5_000;

/** Sends until stopped. */
export function keepSendingNotices(dependencies: NoticeDependencies): { stop(): Promise<void> } {
  return keepRepeating(async () => {
    try {
      return (await sendDueNotices(dependencies)) ? 0 : LOOK_EVERY_MS;
    } catch (error) {
      const reason = error instanceof Error ? error.name : 'unknown';
      dependencies.logger.warn({ error: reason }, 'the notices of alerts could not be read');
      return FAILED_PAUSE_MS;
    }
  });
}
