// Pages that show something of every operation within reach share its frame: one section for each.
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Answered } from '../../../../contract/panel/routes.js';
import { read } from '../../api/queries.js';
import { useWords } from '../../preferences.js';
import { Section } from '../../ui/facts.js';
import { Empty, Loaded } from '../../ui/states.js';
import { Status } from '../../ui/status.js';
import { useTitle } from '../../ui/title.js';
import { recordWords } from '../../words/records.js';

export type Operation = Answered<'readOperations'>['items'][number];

export interface OperationsProps {
  readonly title: string;
  readonly note: string;
  readonly children: (operation: Operation) => ReactNode;
}

export function Operations({ title, note, children }: OperationsProps) {
  const { rules } = useWords(recordWords);
  useTitle(title);
  const query = useQuery(read('readOperations', {}));
  return (
    <>
      <header className="page-head">
        <h1>{title}</h1>
        <p className="quiet">{note}</p>
      </header>
      <Loaded query={query}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title={rules.noOperation} />
          ) : (
            items.map((operation) => (
              <Section key={operation.id} title={operation.name} aside={<Status of={operation.status} />}>
                {children(operation)}
              </Section>
            ))
          )
        }
      </Loaded>
    </>
  );
}
