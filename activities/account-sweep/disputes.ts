// Reads a page of the disputed payments that a provider lists, and updates the alerts about them. A case alone changes
// no deposit, but it may have ended with a return: the deposit is notified, and looks its charge up.
import { alertOf } from '../../domain/alert-records.js';
import type { AccountName } from '../../domain/provider-accounts.js';
import { count } from '../../platform/telemetry/instruments.js';
import { changedDisputes, keepDisputes, openDisputes, resolveAnswered } from '../../store/disputes/keep.js';
import { raiseAlert } from '../alerts.js';
import { updateBlockedAlert } from './blocked.js';
import { listedPage } from './listed.js';
import { assertNotified, type PageToSweep, type ReadPage, type SweepDependencies } from './page.js';

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
