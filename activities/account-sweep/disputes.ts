// Reads a page of the disputed payments that a provider lists, and keeps the alerts about them true. No deposit is
// told: a case alone changes none, and a return that it ends with is found with the payments.
import type { AccountName } from '../../domain/provider-accounts.js';
import { count } from '../../platform/telemetry/instruments.js';
import { keepDisputes, openDisputes, resolveAnswered } from '../../store/disputes/keep.js';
import { moveMark } from '../../store/account-sweep/marks.js';
import { raiseAlert } from '../alerts.js';
import { tellBlocked } from './blocked.js';
import { noList, type PageToSweep, type SweepDependencies } from './page.js';
import type { SweptPage } from './types.js';
import { tellUnread } from './unread.js';

export async function sweepDisputes(
  dependencies: SweepDependencies,
  { provider, at, span, cursor }: PageToSweep,
): Promise<SweptPage> {
  const { database, providers } = dependencies;
  const list = await providers(provider).listDisputes({ ...span, cursor });
  if (list.kind === 'unknown') throw noList(list.reason);
  if (list.kind === 'refused') return list;
  await tellUnread(dependencies, { provider, at }, list.unread);
  const { items, unreadable, next } = list;
  const changed = await keepDisputes(database, provider, items, at);
  if (next === null) {
    await finish(dependencies, { provider, at, through: span.to });
    await tellBlocked(dependencies, { provider, at });
  }
  const unallocated = changed.filter(({ depositId }) => depositId === null).length;
  const found = { read: items.length, missed: changed.length - unallocated, unallocated, unreadable };
  if (unreadable > 0) count('gateway_account_sweep_found_total', { provider, outcome: 'unreadable' }, unreadable);
  return { kind: 'page', span, next, found };
}

/** By the stored cases and not by the page, so that a crash in between loses no alert. */
async function finish(
  { database, logger }: Pick<SweepDependencies, 'database' | 'logger'>,
  { provider, at, through }: { readonly provider: AccountName; readonly at: string; readonly through: string },
): Promise<void> {
  for (const { disputeId, operationId, objectId, dueAt, isDueSoon } of await openDisputes(database, provider, at)) {
    const alert = { occasion: disputeId, operationId, objectId, at };
    const detail = `provider ${provider}, case ${disputeId}, ${deadline(dueAt)}`;
    await raiseAlert(database, logger, { ...alert, kind: 'DISPUTE_OPEN', detail });
    if (isDueSoon) await raiseAlert(database, logger, { ...alert, kind: 'DISPUTE_DUE', detail });
  }
  await resolveAnswered(database, provider, at);
  await moveMark(database, { provider, part: 'disputes', at, through });
}

const deadline = (dueAt: Date | null) =>
  dueAt === null ? 'the provider tells no deadline' : `to be answered before ${dueAt.toISOString()}`;
