// Reads a page of the disputed payments that a provider lists, and updates the alerts about them and about blocked
// money. A case alone changes no deposit, but it may have ended with a return: the deposit is notified, and looks its
// charge up.
import { alertOf } from '../../domain/alert-records.js';
import { formatBrl } from '../../domain/money.js';
import type { AccountName } from '../../domain/provider-accounts.js';
import { count } from '../../platform/telemetry/instruments.js';
import { resolveAlerts } from '../../store/alerts/alerts.js';
import { changedDisputes, keepDisputes, openDisputes, resolveAnswered } from '../../store/disputes/keep.js';
import { raiseAlert } from '../alerts.js';
import { assertNotified, listedPage, type PageToSweep, type ReadPage, type SweepDependencies } from './page.js';

export async function sweepDisputes(
  dependencies: SweepDependencies,
  { provider, at, span, cursor }: PageToSweep,
): Promise<ReadPage> {
  const { database, providers, notifyDeposit } = dependencies;
  const list = await listedPage(dependencies, { provider, at }, providers(provider).listDisputes({ ...span, cursor }));
  if (list.kind === 'refused') return list;
  const { items, unreadable, next } = list;
  const changed = await changedDisputes(database, provider, items);
  // Notified before they are stored: a crash in between notifies them twice, which is harmless.
  for (const { deposit } of changed) if (deposit !== null) await assertNotified(deposit.id, notifyDeposit(deposit));
  await keepDisputes(database, provider, changed, at);
  if (next === null) {
    await finish(dependencies, { provider, at });
    await updateBlockedAlert(dependencies, { provider, at });
  }
  const unallocated = changed.filter(({ deposit }) => deposit === null).length;
  const found = { read: items.length, missed: changed.length - unallocated, unallocated, unreadable };
  if (unreadable > 0) count('gateway_account_sweep_found_total', { provider, outcome: 'unreadable' }, unreadable);
  return { kind: 'page', next, found };
}

/** Uses the stored cases and not the page, so that a crash in between loses no alert. */
async function finish(
  { database, logger }: Pick<SweepDependencies, 'database' | 'logger'>,
  { provider, at }: { readonly provider: AccountName; readonly at: string },
): Promise<void> {
  for (const { disputeId, operationId, objectId, dueAt, isDueSoon } of await openDisputes(database, provider, at)) {
    const alert = { occasion: disputeId, operationId, objectId, at };
    const about = { provider, case: disputeId };
    const say = (kind: 'DISPUTE_OPEN' | 'DISPUTE_DUE') =>
      dueAt === null
        ? alertOf(kind, 'without_term', about)
        : alertOf(kind, 'due', { ...about, at: dueAt.toISOString() });
    await raiseAlert(database, logger, { ...alert, ...say('DISPUTE_OPEN') });
    if (isDueSoon) await raiseAlert(database, logger, { ...alert, ...say('DISPUTE_DUE') });
  }
  await resolveAnswered(database, provider, at);
}

/**
 * Updates the alert about money that is blocked in an account. Providers list no cases for precautionary blocks (72
 * hours) and court blocks: they only report the sum, together with the balance. Without an answer the alert stays as it
 * is.
 */
async function updateBlockedAlert(
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
