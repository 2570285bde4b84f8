// The day close: which books have a day to freeze, and freezing it.
import type { Logger } from 'pino';
import { alertOf } from '../../domain/alert-records.js';
import { ENABLED_CURRENCIES } from '../../domain/currencies.js';
import { lastClosedDay } from '../../domain/reconciliation.js';
import { resolveAlerts } from '../../store/alerts/alerts.js';
import type { Database } from '../../store/database.js';
import { booksToFreeze, freezeDays } from '../../store/reconciliation/freeze.js';
import { raiseAlert } from '../alerts.js';
import { CLOCKS_DIFFER_MS } from '../forged.js';
import type { ReconciliationActivities } from './types.js';

const CURRENCIES = ENABLED_CURRENCIES.map(({ code }) => code);

export function createReconciliationActivities(database: Database, logger: Logger): ReconciliationActivities {
  return {
    booksToFreeze: ({ at, after, limit }) => booksToFreeze(database, CURRENCIES, closing(at), after, limit),
    freezeDays: async ({ operationId, currency, at }) => {
      const throughDay = lastClosedDay(closing(at));
      const outcome = await freezeDays(database, { operationId, currency }, throughDay, closing(at));
      if (outcome.kind === 'day_open') throw new Error(`${throughDay} is the last closed day, and open`);
      if (outcome.caughtUp) await resolveAlerts(database, { kind: 'DAY_NOT_FROZEN', objectId: operationId, at });
      return { days: outcome.days, caughtUp: outcome.caughtUp };
    },
    raiseFreezeAlert: async ({ operationId, currency, at }) => {
      // It may be frozen already: the first read of a day freezes it.
      const [open] = await booksToFreeze(database, CURRENCIES, closing(at), { operationId, currency: '' }, 1);
      if (open?.operationId !== operationId || open.currency !== currency) return;
      await raiseAlert(database, logger, {
        ...alertOf('DAY_NOT_FROZEN', 'open', { currency, day: lastClosedDay(closing(at)) }),
        occasion: null,
        operationId,
        objectId: operationId,
        at,
      });
    },
  };
}

/** The moment by which days must have closed. The night's run starts when the day closes, by another clock. */
function closing(at: string): Date {
  return new Date(Date.parse(at) + CLOCKS_DIFFER_MS);
}
