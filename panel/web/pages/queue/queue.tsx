// The review queue: what waits for a person, the most urgent first, with its filters in the address.
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useLive } from '../../api/live.js';
import { readList } from '../../api/queries.js';
import { useSession } from '../../api/session.js';
import { useTexts } from '../../preferences.js';
import { MorePages, usePages } from '../../ui/more-pages.js';
import { Empty, Loaded } from '../../ui/states.js';
import { useDuration } from '../../ui/time.js';
import { useTitle } from '../../ui/title.js';
import { queueTexts } from '../../texts/queue.js';
import { QueueFilterBar } from './filters.js';
import { Mentions } from './mentions.js';
import { QueueTable } from './table.js';

const route = getRouteApi('/gate/queue');

export function QueuePage() {
  const texts = useTexts(queueTexts);
  const filters = route.useSearch();
  useTitle(texts.title);
  const { cursors, showMore } = usePages(JSON.stringify(filters));
  const first = useQuery(readList('readQueue', { query: filters }));
  return (
    <>
      <Head />
      <Mentions />
      <QueueFilterBar />
      <Loaded query={first} lines={10}>
        {(page) =>
          page.items.length === 0 ? (
            <NothingWaits isFiltered={Object.keys(filters).some((name) => name !== 'sort')} />
          ) : (
            <MorePages name="readQueue" request={{ query: filters }} first={page} cursors={cursors} onMore={showMore}>
              {(items) => <QueueTable items={items} filters={filters} />}
            </MorePages>
          )
        }
      </Loaded>
    </>
  );
}

function Head() {
  const texts = useTexts(queueTexts);
  const { counters } = useLive();
  const { limits } = useSession();
  const duration = useDuration();
  return (
    <header className="page-head">
      <h1>{texts.title}</h1>
      <p className="quiet">
        {counters !== null && (
          <>
            {texts.waiting(counters.waiting)}
            {counters.overdue > 0 && <strong className="bad"> · {texts.overdue(counters.overdue)}</strong>} ·{' '}
          </>
        )}
        {texts.target(duration(limits.decide_within_seconds * 1_000))}
      </p>
    </header>
  );
}

function NothingWaits({ isFiltered }: { readonly isFiltered: boolean }) {
  const texts = useTexts(queueTexts);
  return isFiltered ? (
    <Empty title={texts.emptyFiltered} text={texts.emptyFilteredText} />
  ) : (
    <Empty title={texts.empty} text={texts.emptyText} />
  );
}
