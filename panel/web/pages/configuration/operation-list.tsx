// A list that one operation has, in pages, below its own heading.
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Answered } from '../../../../contract/panel/routes.js';
import type { Request } from '../../api/client.js';
import { readList } from '../../api/queries.js';
import { MorePages, usePages } from '../../ui/more-pages.js';
import { Loaded } from '../../ui/states.js';

type ListRoute = 'readCashMovements' | 'readSuspense' | 'readDisputes' | 'readDays';
type Item<Name extends ListRoute> = Answered<Name>['items'][number];

interface OperationListProps<Name extends ListRoute> {
  readonly name: Name;
  readonly operation: string;
  readonly title: string;
  /** Instead of an empty list. */
  readonly none: string;
  readonly children: (items: readonly Item<Name>[]) => ReactNode;
}

export function OperationList<Name extends ListRoute>(props: OperationListProps<Name>) {
  const { name, operation, title, none, children } = props;
  const { cursors, showMore } = usePages(operation);
  const request = { params: { operation }, query: {} } as Request<Name>;
  const first = useQuery(readList(name, request));
  return (
    <>
      <h3>{title}</h3>
      <Loaded query={first}>
        {(page) =>
          page.items.length === 0 ? (
            <p className="quiet">{none}</p>
          ) : (
            <MorePages name={name} request={request} first={page} cursors={cursors} onMore={showMore}>
              {children}
            </MorePages>
          )
        }
      </Loaded>
    </>
  );
}
