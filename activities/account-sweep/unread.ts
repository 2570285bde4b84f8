// Entries of a list that cannot be read: no payment is notified and the mark moves past them, so each is an alert that
// stays until a person has checked it.
import { alertOf } from '../../domain/alert-records.js';
import type { AccountName } from '../../domain/provider-accounts.js';
import { raiseAlert } from '../alerts.js';
import type { SweepDependencies } from './page.js';

/** Raises one alert for each, once: lists overlap, and one thing may be in two of them. */
export async function raiseUnreadAlerts(
  { database, logger }: Pick<SweepDependencies, 'database' | 'logger'>,
  { provider, at }: { readonly provider: AccountName; readonly at: string },
  unread: readonly string[] = [],
): Promise<void> {
  for (const name of new Set(unread))
    await raiseAlert(database, logger, {
      ...alertOf('LISTING_UNREADABLE', 'unread', { provider, name }),
      occasion: `${provider}:${name}`,
      operationId: null,
      objectId: `${provider}:${name}`,
      at,
    });
}
