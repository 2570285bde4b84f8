// Updates the alert about money that is blocked in an account. Providers list no cases for precautionary blocks (72
// hours) and court blocks: they only report the sum, together with the balance.
import { alertOf } from '../../domain/alert-records.js';
import { formatBrl } from '../../domain/money.js';
import type { AccountName } from '../../domain/provider-accounts.js';
import { resolveAlerts } from '../../store/alerts/alerts.js';
import { raiseAlert } from '../alerts.js';
import type { SweepDependencies } from './page.js';

/** Without an answer the alert stays as it is. */
export async function updateBlockedAlert(
  { database, providers, logger }: Pick<SweepDependencies, 'database' | 'providers' | 'logger'>,
  { provider, at }: { readonly provider: AccountName; readonly at: string },
): Promise<void> {
  const balance = await providers(provider).readBalance();
  if (balance.kind !== 'balance' || balance.blockedMinor === null) return;
  const alert = { kind: 'FUNDS_BLOCKED', objectId: provider, at } as const;
  if (balance.blockedMinor === 0n) return resolveAlerts(database, alert);
  const said = alertOf(alert.kind, 'blocked', { provider, amount: formatBrl(balance.blockedMinor) });
  await raiseAlert(database, logger, { ...alert, ...said, occasion: null, operationId: null });
}
