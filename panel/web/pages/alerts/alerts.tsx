// Alerts: what each means and what is safe to do, who has taken it, and how it was resolved.
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useRef } from 'react';
import { readList } from '../../api/queries.js';
import { alertFilters } from '../../app/search.js';
import { useTexts } from '../../preferences.js';
import { MorePages, usePages } from '../../ui/more-pages.js';
import { useRowKeys } from '../../ui/row-keys.js';
import { OperationFilter } from '../../ui/operation-filter.js';
import { Empty, Loaded } from '../../ui/states.js';
import { useTitle } from '../../ui/title.js';
import { alertTexts } from '../../texts/alerts.js';
import { AlertCard } from './card.js';

const route = getRouteApi('/gate/alerts');

export function AlertsPage() {
  const texts = useTexts(alertTexts);
  const filters = route.useSearch();
  useTitle(texts.title);
  const { cursors, showMore } = usePages(JSON.stringify(filters));
  const first = useQuery(readList('readAlerts', { query: filters }));
  const list = useRef<HTMLUListElement>(null);
  useRowKeys(list);
  const isResolved = filters.resolved === 'yes';
  return (
    <>
      <header className="page-head">
        <h1>{texts.title}</h1>
      </header>
      <Filters />
      <Loaded query={first}>
        {(page) =>
          page.items.length === 0 ? (
            isResolved ? (
              <Empty title={texts.noneResolved} />
            ) : (
              <Empty title={texts.none} text={texts.noneText} />
            )
          ) : (
            <MorePages name="readAlerts" request={{ query: filters }} first={page} cursors={cursors} onMore={showMore}>
              {(items) => (
                <ul className="cards" ref={list}>
                  {items.map((alert) => (
                    <AlertCard key={alert.id} alert={alert} />
                  ))}
                </ul>
              )}
            </MorePages>
          )
        }
      </Loaded>
    </>
  );
}

function Filters() {
  const texts = useTexts(alertTexts);
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const show = (changed: Readonly<Record<string, string>>) =>
    void navigate({ search: ({ id: _, ...before }) => alertFilters({ ...before, ...changed }), replace: true });
  return (
    <form className="filters" onSubmit={(event) => event.preventDefault()}>
      <label>
        {texts.show}
        <select
          value={filters.resolved === 'yes' ? 'yes' : 'no'}
          onChange={({ target }) => show({ resolved: target.value })}
        >
          <option value="no">{texts.shown.no}</option>
          <option value="yes">{texts.shown.yes}</option>
        </select>
      </label>
      <OperationFilter value={filters.operation ?? ''} onChange={(operation) => show({ operation })} />
    </form>
  );
}
