// What left the account, where the dialect lists it. The standard does not.
import { inconclusive } from '../common/http.js';
import type { PayoutList, SentQuery } from '../port.js';
import type { PixApiClient } from './client.js';
import type { PayoutDialect } from './dialect.js';
import { isListRefused, pageQuery } from './list-pages.js';

interface PayoutListContext {
  readonly client: PixApiClient;
  readonly list: PayoutDialect['list'];
  readonly timeoutMs: number;
}

/**
 * One page of what was sent in a span of time. One that cannot be read hides no other. No list can be asked for those
 * with a return alone.
 */
export async function listPayouts(
  { client, list, timeoutMs }: PayoutListContext,
  { part, from, to, cursor }: SentQuery,
): Promise<PayoutList> {
  if (list === null) return { kind: 'refused', reason: 'payouts_are_not_listed' };
  const page = Number(cursor ?? 0);
  const query = pageQuery({ from: new Date(from), to: new Date(to) }, page);
  const answer = await client.call({ method: 'GET', path: `${list.path}?${query.toString()}`, timeoutMs });
  if (isListRefused(answer)) return { kind: 'refused', reason: `list_${inconclusive(answer)}` };
  if (answer.kind !== 'answered' || answer.status !== 200)
    return { kind: 'unknown', reason: `list_${inconclusive(answer)}` };
  const parsed = list.page.safeParse(answer.body);
  if (!parsed.success) return { kind: 'unknown', reason: 'unreadable_list' };
  const read = parsed.data.payouts.map((element) => list.read.safeParse(element));
  const listed = read.flatMap((one) => (one.success ? (one.data ?? []) : []));
  const items = part === 'payouts' ? listed : listed.filter(({ returns }) => returns !== '');
  const unreadable = read.filter((one) => !one.success).length;
  return { kind: 'page', items, unreadable, next: parsed.data.hasMore(page) ? String(page + 1) : null };
}
