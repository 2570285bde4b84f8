// The audit trail, newest first, and when its chain was last verified.
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { Answered } from '../../../../contract/panel/routes.js';
import { auditExportAddress } from '../../api/client.js';
import { readList } from '../../api/queries.js';
import type { AuditFilters } from '../../app/search.js';
import { useTexts } from '../../preferences.js';
import { TableBox, TableHead } from '../../ui/facts.js';
import { Json } from '../../ui/json.js';
import { MorePages, usePages } from '../../ui/more-pages.js';
import { OperationFilter } from '../../ui/operation-filter.js';
import { ObjectLink } from '../../ui/object-link.js';
import { Empty, Loaded } from '../../ui/states.js';
import { Instant } from '../../ui/time.js';
import { useZones } from '../../ui/zones.js';
import { useTitle } from '../../ui/title.js';
import { useOperationName } from '../../ui/operation-name.js';
import { commonTexts } from '../../texts/common.js';
import { actionText, actTexts } from '../../texts/acts.js';
import { auditTexts } from '../../texts/audit.js';
import { meansTexts } from '../../texts/means.js';

type Page = Answered<'readAudit'>;

const route = getRouteApi('/gate/audit');

export function AuditPage() {
  const texts = useTexts(auditTexts);
  const filters = route.useSearch();
  useTitle(texts.title);
  const { cursors, showMore } = usePages(JSON.stringify(filters));
  const first = useQuery(readList('readAudit', { query: filters }));
  return (
    <>
      <header className="page-head">
        <h1>{texts.title}</h1>
        <a className="button" href={auditExportAddress({ query: filters })} download>
          {texts.export}
        </a>
        <p className="quiet">{texts.exportText}</p>
      </header>
      <Filters key={JSON.stringify(filters)} filters={filters} />
      <Loaded query={first} lines={10}>
        {(page) => (
          <>
            <Verified of={page.verified} />
            {page.items.length === 0 ? (
              <Empty title={texts.none} />
            ) : (
              <MorePages name="readAudit" request={{ query: filters }} first={page} cursors={cursors} onMore={showMore}>
                {(items) => <Entries of={items} />}
              </MorePages>
            )}
          </>
        )}
      </Loaded>
    </>
  );
}

function Verified({ of }: { readonly of: Page['verified'] }) {
  const texts = useTexts(auditTexts);
  if (of === null) return <p className="quiet">{texts.notVerified}</p>;
  return (
    <p>
      <span className={of.problems === 0 ? 'chip chip-good' : 'chip chip-bad'}>
        {texts.verified}: {of.problems === 0 ? texts.sound : texts.problems(of.problems)}
      </span>{' '}
      <Instant at={of.at} />
    </p>
  );
}

function Filters({ filters }: { readonly filters: AuditFilters }) {
  const texts = useTexts(auditTexts);
  const navigate = route.useNavigate();
  const [typed, setTyped] = useState({ person: filters.person ?? '', subject: filters.subject ?? '' });
  const show = (changed: AuditFilters) =>
    void navigate({
      search: Object.fromEntries(
        Object.entries({ ...filters, ...typed, ...changed }).filter(([, value]) => value !== ''),
      ),
      replace: true,
    });
  return (
    <form
      className="filters"
      onSubmit={(event) => {
        event.preventDefault();
        show({});
      }}
    >
      <OperationFilter value={filters.operation ?? ''} onChange={(operation) => show({ operation })} />
      <label>
        {texts.person}
        <input
          value={typed.person}
          maxLength={64}
          onChange={({ target }) => setTyped({ ...typed, person: target.value.trim() })}
        />
      </label>
      <label>
        {texts.subject}
        <input
          value={typed.subject}
          maxLength={100}
          onChange={({ target }) => setTyped({ ...typed, subject: target.value.trim() })}
        />
      </label>
      <button type="submit" className="button">
        {texts.filter}
      </button>
    </form>
  );
}

function Entries({ of }: { readonly of: Page['items'] | readonly Page['items'][number][] }) {
  const texts = useTexts(auditTexts);
  const { operation } = useTexts(commonTexts);
  const operationName = useOperationName();
  const zoneOf = useZones();
  const means = useTexts(meansTexts);
  const actions = useTexts(actTexts);
  return (
    <TableBox label={texts.title}>
      <TableHead of={[texts.when, texts.person, means.title, texts.action, operation, texts.subject]} />
      <tbody>
        {of.map((entry) => (
          <tr key={entry.sequence}>
            <td>
              <Instant at={entry.at} zone={zoneOf(entry.operation)} />
            </td>
            <td>{entry.person}</td>
            <td>{entry.means === null ? '—' : means.names[entry.means]}</td>
            <td className="whole">
              {actionText(actions, entry.action)} <code className="quiet">{entry.action}</code>
            </td>
            <td>{operationName(entry.operation)}</td>
            <td className="subject">
              <Subject id={entry.subject} />
              {!isEmpty(entry.detail) && <Json value={entry.detail} />}
              <p className="quiet digest">
                {texts.hash}: <code>{entry.hash.slice(0, 16)}…</code>
              </p>
            </td>
          </tr>
        ))}
      </tbody>
    </TableBox>
  );
}

function isEmpty(detail: Page['items'][number]['detail']): boolean {
  return detail === null || (typeof detail === 'object' && Object.keys(detail).length === 0);
}

function Subject({ id }: { readonly id: string | null }) {
  if (id === null) return '—';
  return (
    <div>
      <ObjectLink id={id}>
        <code>{id}</code>
      </ObjectLink>
    </div>
  );
}
