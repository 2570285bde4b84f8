// Pages that show something of one operation share its frame: which one, and what is configured for it.
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Answered } from '../../../../contract/panel/routes.js';
import { read } from '../../api/queries.js';
import { Section } from '../../ui/facts.js';
import { type ListedOperation, OperationChoice } from '../../ui/operation-choice.js';
import { Loaded } from '../../ui/states.js';
import { useOperationName } from '../../ui/operation-name.js';
import { Status } from '../../ui/status.js';
import { useTitle } from '../../ui/title.js';

export type Operation = Answered<'readOperation'>;

export interface OperationsProps {
  readonly title: string;
  readonly note: string;
  /** The text after its name in the list. */
  readonly mark?: (operation: ListedOperation) => string;
  readonly children: (operation: Operation) => ReactNode;
}

export function Operations({ title, note, mark, children }: OperationsProps) {
  useTitle(title);
  return (
    <>
      <header className="page-head">
        <h1>{title}</h1>
        <p className="quiet">{note}</p>
      </header>
      <OperationChoice {...(mark === undefined ? {} : { mark })}>
        {({ id, name, status }) => (
          <Section key={id} title={name} aside={<Status of={status} />}>
            <WholeOperation id={id}>{children}</WholeOperation>
          </Section>
        )}
      </OperationChoice>
    </>
  );
}

interface WholeOperationProps {
  readonly id: string;
  readonly children: (operation: Operation) => ReactNode;
}

/** With what is configured for it, under a name that tells it apart. */
export function WholeOperation({ id, children }: WholeOperationProps) {
  const operationName = useOperationName();
  const query = useQuery(read('readOperation', { params: { operation: id } }));
  return <Loaded query={query}>{(operation) => children({ ...operation, name: operationName(operation) })}</Loaded>;
}
