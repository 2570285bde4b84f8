// Which case comes next: by the same filters and the same order as the queue from which the person came.
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useSession } from '../../api/session.js';
import { useTexts } from '../../preferences.js';
import { say } from '../../ui/toast.js';
import { caseTexts } from '../../texts/case.js';
import { type QueueItem, type NextCase, walkQueue } from './queue-walk.js';

const route = getRouteApi('/gate/cases/$id');

/** Skipped in this tab, until it is reloaded. */
const skipped = new Set<string>();

/** How to leave a case for another one. */
export function useNextCase(id: string) {
  const filters = route.useSearch();
  const { handle } = useSession();
  const texts = useTexts(caseTexts);
  const navigate = useNavigate();
  const open = (next: string) => navigate({ to: '/cases/$id', params: { id: next }, search: filters });
  const openOrSay = async (walked: NextCase, isSaid: boolean) => {
    if (walked.kind === 'found') return open(walked.id);
    if (isSaid || walked.kind === 'not_seen')
      say({ text: walked.kind === 'none' ? texts.noNext : texts.nextNotSeen, tone: 'wait' });
    return navigate({ to: '/queue', search: filters });
  };
  const next = () => walkQueue(filters, (items) => firstFor(items, id, handle));
  const beside = async (by: 1 | -1) => {
    const walked = await walkQueue(filters, (items) => besideIn(items, id, by));
    if (walked.kind === 'found') await open(walked.id);
  };
  return {
    next: () => beside(1),
    previous: () => beside(-1),
    skip: async () => {
      skipped.add(id);
      await openOrSay(await next(), true);
    },
    afterDecision: async () => openOrSay(await next(), false),
  };
}

/** The most urgent that waits for this person: not approved by them, not claimed by another, not skipped. */
function firstFor(items: readonly QueueItem[], id: string, handle: string): string | null {
  const found = items.find(
    (item) =>
      item.id !== id &&
      !skipped.has(item.id) &&
      !item.approvals.given.includes(handle) &&
      (item.claim === null || item.claim.person === handle),
  );
  return found?.id ?? null;
}

/** The one after or before a case. After one that is not in the queue any more comes the first. */
function besideIn(items: readonly QueueItem[], id: string, by: 1 | -1): string | 'none' | null {
  const at = items.findIndex((item) => item.id === id);
  if (at < 0) return null;
  return at + by < 0 ? 'none' : (items[at + by]?.id ?? null);
}
