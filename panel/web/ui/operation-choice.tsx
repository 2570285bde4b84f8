// A page about one operation at a time. The address names it, so that the page can be sent to a colleague.
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Answered } from '../../../contract/panel/routes.js';
import { read } from '../api/queries.js';
import { useTexts } from '../preferences.js';
import { commonTexts } from '../texts/common.js';
import { rulesTexts } from '../texts/rules.js';
import { toldApart } from './operation-name.js';
import { Empty, Loaded } from './states.js';

export type ListedOperation = Answered<'readOperations'>['items'][number];

interface OperationChoiceProps {
  /** The text after its name in the list. */
  readonly mark?: (operation: ListedOperation) => string;
  readonly children: (operation: ListedOperation) => ReactNode;
}

/** The first one by name until the user chooses another. */
export function OperationChoice({ mark = () => '', children }: OperationChoiceProps) {
  const texts = useTexts(rulesTexts);
  const { moreOperations } = useTexts(commonTexts);
  const { operation } = useSearch({ strict: false });
  const navigate = useNavigate();
  const choose = (id: string) => void navigate({ to: '.', search: () => ({ operation: id }), replace: true });
  const query = useQuery(read('readOperations', {}));
  return (
    <Loaded query={query}>
      {({ items, more }) => {
        const chosen = items.find(({ id }) => id === operation) ?? items[0];
        if (chosen === undefined) return <Empty title={texts.noOperation} />;
        return (
          <>
            {items.length > 1 && (
              <form className="filters" onSubmit={(event) => event.preventDefault()}>
                <label>
                  {texts.choose}
                  <select value={chosen.id} onChange={({ target }) => choose(target.value)}>
                    {items.map((one) => (
                      <option key={one.id} value={one.id}>
                        {toldApart(one, items)}
                        {mark(one)}
                      </option>
                    ))}
                  </select>
                </label>
                {more && <p className="quiet">{moreOperations}</p>}
              </form>
            )}
            {children({ ...chosen, name: toldApart(chosen, items) })}
          </>
        );
      }}
    </Loaded>
  );
}
