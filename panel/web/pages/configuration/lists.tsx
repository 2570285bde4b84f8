// Block and review lists. Values are known by their hash and their last characters only.
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { Answered } from '../../../../contract/panel/routes.js';
import { readList } from '../../api/queries.js';
import { rulesFilters } from '../../app/search.js';
import { useTexts } from '../../preferences.js';
import { Section, TableBox, TableHead } from '../../ui/facts.js';
import { MorePages, usePages } from '../../ui/more-pages.js';
import { Words } from '../../ui/theirs.js';
import { Loaded } from '../../ui/states.js';
import { Instant } from '../../ui/time.js';
import { commonTexts } from '../../texts/common.js';
import { ListActs } from './list-acts.js';
import { rulesTexts } from '../../texts/rules.js';

const route = getRouteApi('/gate/rules');

interface ListsProps {
  readonly operation: string;
  readonly zone: string;
}

export function Lists({ operation, zone }: ListsProps) {
  const texts = useTexts(rulesTexts);
  const { operation: _, ...filters } = route.useSearch();
  const { cursors, showMore } = usePages(JSON.stringify(filters));
  const request = { params: { operation }, query: filters };
  const first = useQuery(readList('readLists', request));
  return (
    <Section title={texts.lists}>
      <ListActs operation={operation} />
      <Filters operation={operation} />
      <Loaded query={first}>
        {(page) =>
          page.items.length === 0 ? (
            <p className="quiet">{texts.noEntries}</p>
          ) : (
            <MorePages name="readLists" request={request} first={page} cursors={cursors} onMore={showMore}>
              {(items) => <Entries of={items} zone={zone} />}
            </MorePages>
          )
        }
      </Loaded>
    </Section>
  );
}

function Filters({ operation }: Pick<ListsProps, 'operation'>) {
  const texts = useTexts(rulesTexts);
  const { all } = useTexts(commonTexts);
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const choices = { list: texts.listNames, kind: texts.kindNames } as const;
  return (
    <form className="filters" onSubmit={(event) => event.preventDefault()}>
      {(['list', 'kind'] as const).map((name) => (
        <label key={name}>
          {texts[name]}
          <select
            value={filters[name] ?? ''}
            onChange={({ target }) =>
              void navigate({
                search: (before) => rulesFilters({ ...before, operation, [name]: target.value }),
                replace: true,
              })
            }
          >
            <option value="">{all}</option>
            {Object.entries(choices[name]).map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </select>
        </label>
      ))}
    </form>
  );
}

interface EntriesProps {
  readonly of: readonly Answered<'readLists'>['items'][number][];
  readonly zone: string;
}

function Entries({ of, zone }: EntriesProps) {
  const texts = useTexts(rulesTexts);
  return (
    <TableBox label={texts.lists}>
      <TableHead of={[texts.list, texts.kind, texts.ends, texts.entry, texts.why, texts.added, texts.until]} />
      <tbody>
        {of.map((item) => (
          <tr key={`${item.list} ${item.kind} ${item.entry}`}>
            <td>{texts.listNames[item.list]}</td>
            <td>{texts.kindNames[item.kind]}</td>
            <td>
              <code>{item.value_ends}</code>
            </td>
            <td>
              <code>{item.entry}</code>
            </td>
            <td>
              <Words text={item.reason} />
            </td>
            <td>
              <Instant at={item.added_at} zone={zone} />{' '}
              {item.added_by !== null && <span className="quiet">{item.added_by}</span>}
            </td>
            <td>{item.expires_at === null ? '—' : <Instant at={item.expires_at} zone={zone} />}</td>
          </tr>
        ))}
      </tbody>
    </TableBox>
  );
}
