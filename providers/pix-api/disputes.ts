// Disputed payments (MED), where the dialect lists them. The standard does not.
import { inconclusive } from '../common/http.js';
import type { DisputeList, ListQuery } from '../port.js';
import type { PixApiClient } from './client.js';
import type { Dialect } from './dialect.js';
import { isListRefused, pageQuery } from './list-pages.js';

interface DisputeContext {
  readonly client: PixApiClient;
  readonly dialect: Dialect;
  readonly timeoutMs: number;
}

/** One page of the cases that were opened in a span of time. One that cannot be read hides no other. */
export async function listDisputes(
  { client, dialect: { disputes }, timeoutMs }: DisputeContext,
  { from, to, cursor }: ListQuery,
): Promise<DisputeList> {
  if (disputes === null) return { kind: 'refused', reason: 'disputes_are_not_listed' };
  const page = Number(cursor ?? 0);
  const query = pageQuery({ from: new Date(from), to: new Date(to) }, page);
  const answer = await client.call({ method: 'GET', path: `${disputes.path}?${query.toString()}`, timeoutMs });
  if (isListRefused(answer)) return { kind: 'refused', reason: `list_${inconclusive(answer)}` };
  if (answer.kind !== 'answered' || answer.status !== 200)
    return { kind: 'unknown', reason: `list_${inconclusive(answer)}` };
  const parsed = disputes.page.safeParse(answer.body);
  if (!parsed.success) return { kind: 'unknown', reason: 'unreadable_list' };
  const items = parsed.data.cases.flatMap((element) => {
    const read = disputes.read.safeParse(element);
    return read.success ? read.data : [];
  });
  const unreadable = parsed.data.cases.length - items.length;
  return { kind: 'page', items, unreadable, next: page + 1 < parsed.data.pages ? String(page + 1) : null };
}
