// Block and review lists. Values are known by their hash and their last characters only.
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { Answered } from '../../../../contract/panel/routes.js';
import { readList } from '../../api/queries.js';
import { rulesFilters } from '../../app/search.js';
import { useWords } from '../../preferences.js';
import { Section, TableBox, TableHead } from '../../ui/facts.js';
import { MorePages, usePages } from '../../ui/more-pages.js';
import { Loaded } from '../../ui/states.js';
import { Instant } from '../../ui/time.js';
import { commonWords } from '../../words/common.js';
import { rulesWords } from '../../words/rules.js';

const route = getRouteApi('/gate/rules');

interface ListsProps {
  readonly operation: string;
  readonly zone: string;
}

export function Lists({ operation, zone }: ListsProps) {
  const words = useWords(rulesWords);
  const { operation: _, ...filters } = route.useSearch();
  const { cursors, showMore } = usePages(JSON.stringify(filters));
  const request = { params: { operation }, query: filters };
  const first = useQuery(readList('readLists', request));
  return (
    <Section title={words.lists}>
      <Filters operation={operation} />
      <Loaded query={first}>
        {(page) =>
          page.items.length === 0 ? (
            <p className="quiet">{words.noEntries}</p>
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
  const words = useWords(rulesWords);
  const { all } = useWords(commonWords);
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const choices = { list: words.listNames, kind: words.kindNames } as const;
  return (
    <form className="filters" onSubmit={(event) => event.preventDefault()}>
      {(['list', 'kind'] as const).map((name) => (
        <label key={name}>
          {words[name]}
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
  const words = useWords(rulesWords);
  return (
    <TableBox label={words.lists}>
      <TableHead of={[words.list, words.kind, words.ends, words.entry, words.added]} />
      <tbody>
        {of.map((item) => (
          <tr key={`${item.list} ${item.kind} ${item.entry}`}>
            <td>{words.listNames[item.list]}</td>
            <td>{words.kindNames[item.kind]}</td>
            <td>
              <code>…{item.value_ends}</code>
            </td>
            <td>
              <code>{item.entry}</code>
            </td>
            <td>
              <Instant at={item.added_at} zone={zone} />{' '}
              {item.added_by !== null && <span className="quiet">{item.added_by}</span>}
            </td>
          </tr>
        ))}
      </tbody>
    </TableBox>
  );
}
