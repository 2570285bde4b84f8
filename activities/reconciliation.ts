// The day close in Postgres: which books have a day to freeze, and freezing it.
import { ApplicationFailure } from '@temporalio/activity';
import type { Logger } from 'pino';
import { ENABLED_CURRENCIES } from '../domain/currencies.js';
import type { Database } from '../store/database.js';
import { booksToFreeze, freezeDays } from '../store/reconciliation/freeze.js';
import type { ReconciliationActivities } from './operation-types.js';
import { raiseAlert } from '../store/alerts/alerts.js';

export function createReconciliationActivities(database: Database, logger: Logger): ReconciliationActivities {
  return {
    booksToFreeze: ({ at, after, limit }) =>
      booksToFreeze(
        database,
        ENABLED_CURRENCIES.map(({ code }) => code),
        new Date(at),
        after,
        limit,
      ),
    freezeDays: async ({ operationId, currency, throughDay, at }) => {
      const outcome = await freezeDays(database, { operationId, currency }, throughDay, new Date(at));
      if (outcome.kind === 'day_open')
        throw ApplicationFailure.nonRetryable(`${throughDay} is not closed at ${at}`, 'DayOpen');
      if (outcome.caughtUp) await resolveFreezeAlert(database, operationId, at);
      return { days: outcome.days, caughtUp: outcome.caughtUp };
    },
    raiseFreezeAlert: ({ operationId, currency, throughDay, at }) =>
      raiseAlert(database, logger, {
        kind: 'DAY_NOT_FROZEN',
        detail: `${currency} through ${throughDay} could not be frozen`,
        occasion: null,
        operationId,
        objectId: operationId,
        at,
      }),
  };
}

/** The condition has passed. */
async function resolveFreezeAlert(database: Database, operationId: string, at: string): Promise<void> {
  await database.alert.updateMany({
    where: { kind: 'DAY_NOT_FROZEN', objectId: operationId, resolvedAt: null },
    data: { resolvedAt: at },
  });
}
