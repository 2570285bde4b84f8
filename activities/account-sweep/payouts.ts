// Reads a page of what left a provider's account and compares it with the withdrawals. No withdrawal is told: each looks
// its own payout up. What the books do not show half an hour later is an alert.
import type { SweptSpan } from '../../contract/temporal/account-sweep.js';
import { isId, withdrawalIdOf } from '../../domain/identifiers.js';
import type { ListedPayout } from '../../domain/listed-payouts.js';
import { count } from '../../platform/telemetry/instruments.js';
import { keepUnexplained, type ToldPayout, unexplainedFor } from '../../store/account-sweep/found-payouts.js';
import { moveMark } from '../../store/account-sweep/marks.js';
import { raiseAlert } from '../alerts.js';
import { noList, type PageToSweep, plainReference, type SweepDependencies } from './page.js';
import type { SweptPage } from './types.js';
import { tellUnread } from './unread.js';

export async function sweepPayouts(dependencies: SweepDependencies, page: PageToSweep): Promise<SweptPage> {
  const { database, providers } = dependencies;
  const { provider, at, span, cursor } = page;
  const list = await providers(provider).listPayouts({ ...span, cursor });
  if (list.kind === 'unknown') throw noList(list.reason);
  if (list.kind === 'refused') return list;
  await tellUnread(dependencies, page, list.unread);
  const { items, unreadable, next } = list;
  const unallocated = await keepUnexplained(database, provider, items.map(told), at);
  if (next === null) await finish(dependencies, page, span);
  for (const [outcome, number] of Object.entries({ unallocated, unreadable }))
    if (number > 0) count('gateway_account_sweep_found_total', { provider, outcome }, number);
  return { kind: 'page', span, next, found: { read: items.length, missed: 0, unallocated, unreadable } };
}

/** Only a reference of ours names a withdrawal. Whoever sent it may have chosen another one: it may be any text. */
function told(payout: ListedPayout): ToldPayout {
  const id = payout.reference === null ? null : withdrawalIdOf(payout.reference);
  return {
    ...payout,
    payoutId: plainReference(payout.payoutId),
    withdrawalId: id !== null && isId('withdrawal', id) ? id : null,
  };
}

/** By what is stored and not by the page, so that a crash in between loses no alert. */
async function finish(
  { database, logger }: SweepDependencies,
  { provider, at }: PageToSweep,
  { to: through }: SweptSpan,
): Promise<void> {
  for (const { payoutId, withdrawalId, operationId } of await unexplainedFor(database, provider, at)) {
    const listed = `provider ${provider} lists the payout ${payoutId}`;
    const alert = { occasion: payoutId, operationId, at };
    if (withdrawalId === null)
      await raiseAlert(database, logger, {
        ...alert,
        kind: 'PAYOUT_UNALLOCATED',
        objectId: provider,
        detail: `${listed}, which belongs to no withdrawal`,
      });
    else
      await raiseAlert(database, logger, {
        ...alert,
        kind: 'PAYOUT_CONTRADICTION',
        objectId: withdrawalId,
        detail: `${listed}, which this withdrawal does not show`,
      });
  }
  await moveMark(database, { provider, part: 'payouts', at, through });
}
