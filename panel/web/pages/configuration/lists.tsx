// Block and review lists. Values are known by their hash and their last characters only.
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
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
  const { all } = useWords(commonWords);
  const { operation: _, ...filters } = route.useSearch();
  const navigate = route.useNavigate();
  const { cursors, showMore } = usePages(JSON.stringify(filters));
  const request = { params: { operation }, query: filters };
  const first = useQuery(readList('readLists', request));
  const set = (name: keyof typeof filters, value: string) =>
    void navigate({ search: (before) => rulesFilters({ ...before, operation, [name]: value }), replace: true });
  return (
    <Section title={words.lists}>
      <form className="filters" onSubmit={(event) => event.preventDefault()}>
        <label>
          {words.list}
          <select value={filters.list ?? ''} onChange={({ target }) => set('list', target.value)}>
            <option value="">{all}</option>
            {Object.entries(words.listNames).map(([name, text]) => (
              <option key={name} value={name}>
                {text}
              </option>
            ))}
          </select>
        </label>
        <label>
          {words.kind}
          <select value={filters.kind ?? ''} onChange={({ target }) => set('kind', target.value)}>
            <option value="">{all}</option>
            {Object.entries(words.kindNames).map(([name, text]) => (
              <option key={name} value={name}>
                {text}
              </option>
            ))}
          </select>
        </label>
      </form>
      <Loaded query={first}>
        {(page) =>
          page.items.length === 0 ? (
            <p className="quiet">{words.noEntries}</p>
          ) : (
            <MorePages name="readLists" request={request} first={page} cursors={cursors} onMore={showMore}>
              {(items) => (
                <TableBox label={words.lists}>
                  <TableHead of={[words.list, words.kind, words.ends, words.entry, words.added]} />
                  <tbody>
                    {items.map((item) => (
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
              )}
            </MorePages>
          )
        }
      </Loaded>
    </Section>
  );
}
