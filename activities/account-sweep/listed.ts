// How every sweep begins: a page of the provider's list is requested, and what cannot be read in it becomes alerts.
import { ApplicationFailure } from '@temporalio/activity';
import { alertOf } from '../../domain/alert-records.js';
import { checkedMoment, differenceOf } from '../../domain/provider-clock.js';
import type { AccountList } from '../../providers/port.js';
import type { PageToSweep, SweepDependencies } from './page.js';
import { raiseAlert } from '../alerts.js';
import { raiseUnreadAlerts } from './unread.js';

type FullList<Item> = Exclude<AccountList<Item>, { readonly kind: 'unknown' }>;

/** The page, or why the provider refuses the list. Without an answer the activity fails, and the page is asked again. */
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
