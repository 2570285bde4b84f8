// The day close: which books have a day to freeze, and freezing it.
import { ApplicationFailure } from '@temporalio/activity';
import type { Logger } from 'pino';
import { ENABLED_CURRENCIES } from '../../domain/currencies.js';
import { resolveAlerts } from '../../store/alerts/alerts.js';
import type { Database } from '../../store/database.js';
import { booksToFreeze, freezeDays } from '../../store/reconciliation/freeze.js';
import { raiseAlert } from '../alerts.js';
import type { ReconciliationActivities } from './types.js';

const CURRENCIES = ENABLED_CURRENCIES.map(({ code }) => code);

export function createReconciliationActivities(database: Database, logger: Logger): ReconciliationActivities {
  return {
    booksToFreeze: ({ at, after, limit }) => booksToFreeze(database, CURRENCIES, new Date(at), after, limit),
    freezeDays: async ({ operationId, currency, throughDay, at }) => {
      const outcome = await freezeDays(database, { operationId, currency }, throughDay, new Date(at));
      if (outcome.kind === 'day_open')
        throw ApplicationFailure.nonRetryable(`${throughDay} is not closed at ${at}`, 'DayOpen');
      if (outcome.caughtUp) await resolveAlerts(database, { kind: 'DAY_NOT_FROZEN', objectId: operationId, at });
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
