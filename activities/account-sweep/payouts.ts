// Reads a page of what left a provider's account. Withdrawals are notified of returns they do not show, and look their
// payouts up. What the database does not show half an hour later is an alert.
import { alertOf } from '../../domain/alert-records.js';
import { isId, withdrawalIdOf } from '../../domain/identifiers.js';
import { isListedPayout, isListedReturn, type ListedPayout, type SentPart } from '../../domain/listed-payouts.js';
import { count } from '../../platform/telemetry/instruments.js';
import {
  keepUnexplainedPayouts,
  type AttributedPayout,
  unexplainedPayouts,
} from '../../store/account-sweep/unexplained-payouts.js';
import { keepReturns, mayBeReturned, unnotifiedReturns } from '../../store/account-sweep/payout-returns.js';
import { raiseAlert } from '../alerts.js';
import {
  assertNotified,
  listedPage,
  type PageToSweep,
  plain,
  plainReference,
  type ReadPage,
  type SweepDependencies,
} from './page.js';

type SentPage = PageToSweep & { readonly part: SentPart };

export async function sweepPayouts(dependencies: SweepDependencies, page: SentPage): Promise<ReadPage> {
  const { database, providers, notifyWithdrawal } = dependencies;
  const { provider, part, at, span, cursor } = page;
  const list = await listedPage(dependencies, page, providers(provider).listPayouts({ part, ...span, cursor }));
  if (list.kind === 'refused') return list;
  const { items, unreadable, next } = list;
  const payouts = items.filter(isListedPayout).map(attributed);
  const missed = await notifyReturned(dependencies, page, payouts);
  // The list has such a line for a quarter of an hour, so they are notified a few times.
  for (const withdrawal of await mayBeReturned(database, provider, items.filter(isListedReturn)))
    await assertNotified(withdrawal.id, notifyWithdrawal(withdrawal));
  // A payout of long ago may be older than the gateway.
  const unallocated = part === 'payouts' ? await keepUnexplainedPayouts(database, provider, payouts, at) : 0;
  if (next === null) await finish(dependencies, page);
  for (const [outcome, number] of Object.entries({ missed, unallocated, unreadable }))
    if (number > 0) count('gateway_account_sweep_found_total', { provider, outcome }, number);
  return { kind: 'page', next, found: { read: items.length, missed, unallocated, unreadable } };
}

/** Only a reference of ours names a withdrawal. Another sender may choose any text as a reference. */
function attributed(payout: ListedPayout): AttributedPayout {
  const id = payout.reference === null ? null : withdrawalIdOf(payout.reference);
  return {
    ...payout,
    payoutId: plainReference(payout.payoutId),
    returns: plain(payout.returns),
    withdrawalId: id !== null && isId('withdrawal', id) ? id : null,
  };
}

/**
 * Withdrawals are notified before that is recorded: a crash in between notifies them twice, which is harmless.
 * @returns how many
 */
async function notifyReturned(
  { database, notifyWithdrawal }: SweepDependencies,
  { provider, at }: SentPage,
  payouts: readonly AttributedPayout[],
): Promise<number> {
  const unnotified = await unnotifiedReturns(database, provider, payouts);
  for (const { withdrawal } of unnotified) await assertNotified(withdrawal.id, notifyWithdrawal(withdrawal));
  await keepReturns(database, provider, unnotified, at);
  return unnotified.length;
}

/** By what is stored and not by the page, so that a crash in between loses no alert. */
async function finish({ database, logger }: SweepDependencies, { provider, at }: SentPage): Promise<void> {
  for (const { payoutId, withdrawalId, operationId } of await unexplainedPayouts(database, provider, at)) {
    const listed = { provider, payout: payoutId };
    const alert = { occasion: payoutId, operationId, at };
    if (withdrawalId === null)
      await raiseAlert(database, logger, {
        ...alert,
        ...alertOf('PAYOUT_UNALLOCATED', 'listed', listed),
        objectId: provider,
      });
    else
      await raiseAlert(database, logger, {
        ...alert,
        ...alertOf('PAYOUT_CONTRADICTION', 'listed', listed),
        objectId: withdrawalId,
      });
  }
}
