// The alerts of payments that have waited long for somebody outside. The check reads rows, so it also sees a payment
// whose own process stands still.
import type { Logger } from 'pino';
import { OUTSIDE_WAITS } from '../../domain/payments/outside-waits.js';
import type { Database } from '../../store/database.js';
import { alertLongWaits, CHECKED_WAITS } from '../../store/payments/outside-waits.js';

/** Raises what is due in an operation. A later check finds what a lost one left. */
export async function raiseLongWaits(
  database: Database,
  logger: Logger,
  { operationId, at }: { readonly operationId: string; readonly at: string },
): Promise<void> {
  for (const wait of CHECKED_WAITS) {
    const { kind } = OUTSIDE_WAITS[wait].checked;
    for (const { objectId, detail } of await alertLongWaits(database, { operationId, wait, at }))
      logger.warn({ alert: kind, objectId, operationId }, detail);
  }
}
