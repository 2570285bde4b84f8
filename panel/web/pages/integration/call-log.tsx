// The log of an operation's own calls, newest first: what was answered, and why one was refused.
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { Answered } from '../../../../contract/panel/routes.js';
import { readList } from '../../api/queries.js';
import { callFilters } from '../../app/search.js';
import { useTexts } from '../../preferences.js';
import { TableBox, TableHead } from '../../ui/facts.js';
import { MorePages, usePages } from '../../ui/more-pages.js';
import { Loaded } from '../../ui/states.js';
import { Theirs, Words } from '../../ui/theirs.js';
import { Instant } from '../../ui/time.js';
import { integrationTexts } from '../../texts/integration.js';
import type { Operation } from '../configuration/operations.js';

const route = getRouteApi('/gate/integration');

type Call = Answered<'readCalls'>['items'][number];

export function CallLog({ operation: { id, name, time_zone: zone } }: { readonly operation: Operation }) {
  const texts = useTexts(integrationTexts);
  const { refused } = route.useSearch();
  const navigate = route.useNavigate();
  const show = (isOnly: boolean) =>
    void navigate({ search: (before) => callFilters({ ...before, refused: isOnly ? 'yes' : '' }), replace: true });
  const { cursors, showMore } = usePages(String(refused));
  const request = { params: { operation: id }, query: refused === 'yes' ? { refused } : {} };
  const first = useQuery(readList('readCalls', request));
  return (
    <>
      <form className="filters" onSubmit={(event) => event.preventDefault()}>
        <label>
          <input type="checkbox" checked={refused === 'yes'} onChange={({ target }) => show(target.checked)} />
          {texts.onlyRefused}
        </label>
      </form>
      <Loaded query={first}>
        {(page) =>
          page.items.length === 0 ? (
            <p className="quiet">{texts.noCalls}</p>
          ) : (
            <MorePages name="readCalls" request={request} first={page} cursors={cursors} onMore={showMore}>
              {(items) => <Calls of={items} label={`${texts.calls}: ${name}`} zone={zone} />}
            </MorePages>
          )
        }
      </Loaded>
    </>
  );
}

function Calls({ of, label, zone }: { readonly of: readonly Call[]; readonly label: string; readonly zone: string }) {
  const texts = useTexts(integrationTexts);
  return (
    <TableBox label={label}>
      <TableHead of={Object.values(texts.callColumns)} />
      <tbody>
        {of.map((call) => (
          <tr key={call.id}>
            <td>
              <Instant at={call.at} zone={zone} />
            </td>
            <td className="subject">
              <code>
                {call.method} {call.route ?? texts.noRoute}
              </code>
            </td>
            <td className="age">
              <span className={call.status < 400 ? 'chip chip-good' : 'chip chip-bad'}>{call.status}</span>{' '}
              <span className="quiet">{texts.milliseconds(call.duration_ms)}</span>
            </td>
            <td className="whole">
              <Why of={call} />
            </td>
            <td>
              <code>{call.address}</code>
            </td>
            <td className="subject">
              <code>{call.trace_id}</code>
            </td>
          </tr>
        ))}
      </tbody>
    </TableBox>
  );
}

function Why({ of: { code, detail, errors, is_signed: isSigned, canonical_sha256: digest } }: { readonly of: Call }) {
  const texts = useTexts(integrationTexts);
  if (code === null && isSigned) return '—';
  return (
    <>
      {code !== null && <code>{code}</code>} {!isSigned && <span className="chip chip-wait">{texts.unsigned}</span>}
      {detail !== null && <Words text={detail} lang="en" />}
      {errors.map(({ field, reason }) => (
        <Theirs key={`${field} ${reason}`} text={field === null ? reason : `${field}: ${reason}`} />
      ))}
      {code !== null && digest !== null && (
        <p className="quiet">
          {texts.signedLines} <code>{digest.slice(0, 16)}…</code>
        </p>
      )}
    </>
  );
}
