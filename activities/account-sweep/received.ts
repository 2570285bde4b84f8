// Reads a page of what a provider's account received, and notifies the deposits that missed a payment or a return. A
// payment that belongs to no deposit is kept, with an alert.
import type { SweepFound } from '../../contract/temporal/scheduled-work.js';
import { alertOf } from '../../domain/alert-records.js';
import { depositIdOf, isId } from '../../domain/identifiers.js';
import type { AccountName } from '../../domain/provider-accounts.js';
import type { ReceivedPart } from '../../domain/receipts.js';
import { count } from '../../platform/telemetry/instruments.js';
import type { Receipt, ReceivedList } from '../../providers/port.js';
import {
  keepUnexplainedReceipts,
  type AttributedReceipt,
  unexplainedOf,
} from '../../store/account-sweep/unexplained-receipts.js';
import { settleReceipts } from '../../store/account-sweep/settled-receipts.js';
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

type Page = Extract<ReceivedList, { kind: 'page' }>;

export async function sweepReceived(
  dependencies: SweepDependencies,
  { provider, part, at, span, cursor }: PageToSweep & { readonly part: ReceivedPart },
): Promise<ReadPage> {
  const asked = dependencies.providers(provider).listReceived({ part, ...span, cursor });
  const list = await listedPage(dependencies, { provider, at }, asked);
  if (list.kind === 'refused') return list;
  const found = await applyPage(dependencies, provider, list, at);
  if (list.next === null) await finish(dependencies, { provider, at });
  return { kind: 'page', next: list.next, found };
}

/** Notifies deposits first and records it afterwards: a crash in between notifies them twice, which is harmless. */
async function applyPage(
  { database, notifyDeposit, logger }: SweepDependencies,
  provider: AccountName,
  { items: receipts, unreadable }: Page,
  at: string,
): Promise<SweepFound> {
  const unknown = await unexplainedOf(database, provider, receipts.map(attributed));
  for (const { deposit } of unknown) {
    if (deposit !== null) await assertNotified(deposit.id, notifyDeposit(deposit));
  }
  await keepUnexplainedReceipts(database, provider, unknown, at);
  const unallocated = unknown.filter(({ deposit }) => deposit === null);
  if (unallocated.length > 0)
    await raiseAlert(database, logger, {
      ...alertOf('RECEIPT_UNALLOCATED', 'received', { count: unallocated.length, provider }),
      occasion: null,
      operationId: null,
      objectId: provider,
      at,
    });
  const found = { missed: unknown.length - unallocated.length, unallocated: unallocated.length, unreadable };
  for (const outcome of ['missed', 'unallocated', 'unreadable'] as const)
    if (found[outcome] > 0) count('gateway_account_sweep_found_total', { provider, outcome }, found[outcome]);
  return { read: receipts.length, ...found };
}

/** Only a reference that we gave a charge names a deposit. A payer may choose any other text. */
function attributed({ reference, returns, ...receipt }: Receipt): AttributedReceipt {
  const id = reference === null ? null : depositIdOf(reference);
  return {
    ...receipt,
    reference: reference === null ? null : plainReference(reference),
    returns: plain(returns),
    depositId: id !== null && isId('deposit', id) ? id : null,
  };
}

async function finish(
  { database, logger }: SweepDependencies,
  { provider, at }: { readonly provider: AccountName; readonly at: string },
): Promise<void> {
  for (const { depositId, operationId, endToEndId } of await settleReceipts(database, provider, at))
    await raiseAlert(database, logger, {
      ...alertOf('RECEIPT_UNSETTLED', 'listed', { provider, bankId: endToEndId }),
      occasion: endToEndId,
      operationId,
      objectId: depositId,
      at,
    });
}
