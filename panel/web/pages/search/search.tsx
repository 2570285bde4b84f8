// Search by any identifier. What is typed may be a document, so it stays out of the address and out of the history.
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { Answered } from '../../../../contract/panel/routes.js';
import { read } from '../../api/queries.js';
import { useTexts } from '../../preferences.js';
import { TableBox } from '../../ui/facts.js';
import { Money } from '../../ui/money.js';
import { useRowKeys } from '../../ui/row-keys.js';
import { Empty, Loaded } from '../../ui/states.js';
import { Status } from '../../ui/status.js';
import { Age } from '../../ui/time.js';
import { useTitle } from '../../ui/title.js';
import { useOperationName } from '../../ui/operation-name.js';
import { searchTexts } from '../../texts/search.js';
import { takeOver } from './handed-over.js';
import { HitLink } from './hit-link.js';

type Hit = Answered<'search'>['hits'][number];

export function SearchPage() {
  const texts = useTexts(searchTexts);
  useTitle(texts.title);
  const [text, setText] = useState(takeOver);
  const [asked, setAsked] = useState(text.trim());
  const input = useRef<HTMLInputElement>(null);
  const query = useQuery({
    ...read('search', { body: { q: asked } }),
    enabled: asked !== '',
    // A searched document does not stay in memory.
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    retry: false,
  });
  return (
    <>
      <header className="page-head">
        <h1>{texts.title}</h1>
      </header>
      <form
        className="search"
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          setAsked(text.trim());
        }}
      >
        <label htmlFor="search-text">{texts.label}</label>
        <div className="search-line">
          <input
            id="search-text"
            ref={input}
            type="search"
            value={text}
            maxLength={200}
            autoComplete="off"
            spellCheck={false}
            aria-describedby="search-hint"
            // The page is opened to type.
            autoFocus
            onChange={({ target }) => setText(target.value)}
          />
          <button type="submit" className="button button-good">
            {texts.go}
          </button>
        </div>
        <p id="search-hint" className="hint">
          {texts.hint}
        </p>
      </form>
      {asked === '' ? (
        <Empty title={texts.begin} text={texts.beginText} />
      ) : (
        <Loaded query={query}>{(found) => <Hits of={found.hits} hasMore={found.more} />}</Loaded>
      )}
    </>
  );
}

function Hits({ of, hasMore }: { readonly of: readonly Hit[]; readonly hasMore: boolean }) {
  const texts = useTexts(searchTexts);
  const operationName = useOperationName();
  const body = useRef<HTMLTableSectionElement>(null);
  useRowKeys(body);
  if (of.length === 0) return <Empty title={texts.nothing} text={texts.nothingText} />;
  return (
    <>
      <TableBox label={texts.title}>
        <thead>
          <tr>
            {Object.entries(texts.columns).map(([name, text]) => (
              <th key={name} scope="col" className={name === 'amount' ? 'number' : undefined}>
                {text}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          {of.map((hit) => (
            <tr key={`${hit.type} ${hit.id}`}>
              <td>{texts.types[hit.type]}</td>
              <td>
                <HitLink hit={hit} />
                {hit.external_id !== null && <div className="quiet ref">{hit.external_id}</div>}
              </td>
              <td>{hit.status !== null && <Status of={hit.status} />}</td>
              <td className="number">{hit.amount !== null && <Money of={hit.amount} />}</td>
              <td>{operationName(hit.operation)}</td>
              <td className="quiet">{hit.found_by.map((by) => texts.foundBy[by]).join(', ')}</td>
              <td>{hit.at !== null && <Age since={hit.at} />}</td>
            </tr>
          ))}
        </tbody>
      </TableBox>
      {hasMore && <p className="quiet">{texts.more}</p>}
    </>
  );
}
