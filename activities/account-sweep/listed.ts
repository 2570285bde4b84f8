// How every sweep begins: a page of the provider's list is requested, and what cannot be read in it becomes alerts.
import { ApplicationFailure } from '@temporalio/activity';
import type { AccountList } from '../../providers/port.js';
import type { PageToSweep, SweepDependencies } from './page.js';
import { raiseUnreadAlerts } from './unread.js';

type Listed<Item> = Exclude<AccountList<Item>, { readonly kind: 'unknown' }>;

/** The page, or why the provider refuses the list. Without an answer the activity fails, and the page is asked again. */
export async function listedPage<Item>(
  dependencies: SweepDependencies,
  of: Pick<PageToSweep, 'provider' | 'at'>,
  asked: Promise<AccountList<Item>>,
): Promise<Listed<Item>> {
  const list = await asked;
  if (list.kind === 'unknown') throw ApplicationFailure.retryable(`no list: ${list.reason}`, 'NO_LIST');
  if (list.kind === 'page') await raiseUnreadAlerts(dependencies, of, list.unread);
  return list;
}
