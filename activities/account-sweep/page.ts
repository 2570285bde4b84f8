// A page of a list of a provider's account: what reading one needs, how it is requested, and the alerts about what
// cannot be read in it.
import { ApplicationFailure, Context } from '@temporalio/activity';
import type { Logger } from 'pino';
import type { SweepFound } from '../../contract/temporal/scheduled-work.js';
import { alertOf } from '../../domain/alert-records.js';
import type { AccountName } from '../../domain/provider-accounts.js';
import { checkedMoment, differenceOf } from '../../domain/provider-clock.js';
import type { AccountList, ProviderRegistry } from '../../providers/port.js';
import type { SweepPlace } from '../../store/account-sweep/marks.js';
import type { NotifiedDeposit, NotifiedWithdrawal } from '../../store/account-sweep/notified-payment.js';
import type { Database } from '../../store/database.js';
import { raiseAlert } from '../alerts.js';

/** Notifies a payment, open or ended, of a change at its provider. `false` if Temporal does not answer. */
export type NotifyPayment = (payment: NotifiedDeposit | NotifiedWithdrawal) => Promise<boolean>;

export interface SweepDependencies {
  readonly database: Database;
  readonly providers: ProviderRegistry;
  readonly notifyDeposit: NotifyPayment;
  readonly notifyWithdrawal: NotifyPayment;
  readonly logger: Logger;
}

export interface PageToSweep extends SweepPlace {
  readonly provider: AccountName;
  readonly at: string;
}

/** `next`: the cursor of the next page; null after the last. */
export type ReadPage =
  | { readonly kind: 'page'; readonly next: string | null; readonly found: SweepFound }
  | { readonly kind: 'refused'; readonly reason: string };

/** Longer than any of ours. */
const REFERENCE_MAX_LENGTH = 64;

/** A text that a third party may have chosen. */
export function plainReference(text: string): string {
  return plain(text.slice(0, REFERENCE_MAX_LENGTH));
}

export function plain(text: string): string {
  return text.replace(/[^A-Za-z0-9_., -]/g, '?');
}

/** Fails the activity if the payment could not be notified: the page is read again, with all its notifications. */
export async function assertNotified(paymentId: string, notified: Promise<boolean>): Promise<void> {
  Context.current().heartbeat(paymentId);
  if (!(await notified)) throw ApplicationFailure.retryable('a payment could not be notified', 'NOT_NOTIFIED');
}

type FullList<Item> = Exclude<AccountList<Item>, { readonly kind: 'unknown' }>;

/**
 * How every sweep begins: the page, or why the provider refuses the list. Without an answer the activity fails, and the
 * page is asked again.
 */
export async function listedPage<Item>(
  dependencies: SweepDependencies,
  of: Pick<PageToSweep, 'provider' | 'at'>,
  asked: Promise<AccountList<Item>>,
): Promise<FullList<Item>> {
  const list = await asked;
  if (list.kind === 'unknown') throw ApplicationFailure.retryable(`no list: ${list.reason}`, 'NO_LIST');
  if (list.kind === 'refused') return list;
  await raiseUnreadAlerts(dependencies, of, list.unread);
  return { ...list, items: await byOurClock(dependencies, of, list.items) };
}

/** When a listed thing happened, whatever it is. */
const TIMES = ['receivedAt', 'sentAt', 'returnedAt', 'openedAt'] as const;

/** The items with no time of the future. One that is minutes ahead is an alert. */
async function byOurClock<Item>(
  { database, logger }: SweepDependencies,
  { provider, at }: Pick<PageToSweep, 'provider' | 'at'>,
  items: readonly Item[],
): Promise<readonly Item[]> {
  const checked = items.map((item) => checkedItem(item, at));
  const drifting = checked.find(({ stated }) => stated !== null)?.stated;
  if (drifting !== undefined && drifting !== null)
    await raiseAlert(database, logger, {
      ...alertOf('PROVIDER_CLOCK_DIFFERS', 'list', { provider, ...differenceOf(drifting, at) }),
      occasion: null,
      operationId: null,
      objectId: provider,
      at,
    });
  return checked.map(({ item }) => item);
}

/** `stated`: a time that is minutes ahead. */
function checkedItem<Item>(item: Item, at: string): { readonly item: Item; readonly stated: string | null } {
  const times = item as Readonly<Partial<Record<(typeof TIMES)[number], string>>>;
  const field = TIMES.find((name) => Date.parse(times[name] ?? '') > Date.parse(at));
  const stated = field === undefined ? undefined : times[field];
  if (field === undefined || stated === undefined) return { item, stated: null };
  const { drifts } = checkedMoment(stated, { since: at, at });
  return { item: { ...item, [field]: at }, stated: drifts ? stated : null };
}

/**
 * Entries of a list that cannot be read: no payment is notified and the mark moves past them, so each is an alert that
 * stays until a person has checked it. Raised once: lists overlap, and one thing may be in two of them.
 */
async function raiseUnreadAlerts(
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
