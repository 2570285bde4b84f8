// Lists in pages: the first is reloaded with every change, further ones when the user asks for them.
import { useQueries } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Answered } from '../../../contract/panel/routes.js';
import type { Request } from '../api/client.js';
import { faultOf } from '../api/faults.js';
import { read } from '../api/queries.js';
import { useTexts } from '../preferences.js';
import { commonTexts } from '../texts/common.js';
import { FaultNotice } from './states.js';

/** The lists that are read in pages. */
type PagedRoute =
  | 'readQueue'
  | 'readPayments'
  | 'readApprovals'
  | 'readAlerts'
  | 'readAudit'
  | 'readLists'
  | 'readDeliveries'
  | 'readCalls'
  | 'readCashMovements'
  | 'readSuspense'
  | 'readDisputes'
  | 'readDays';
type Item<Name extends PagedRoute> = Answered<Name>['items'][number];

interface Page<Row> {
  readonly items: readonly Row[];
  readonly next: string | null;
}

/** The cursors of the further pages on show; other filters begin again. */
export function usePages(filters: string) {
  const [shown, setShown] = useState<{ readonly of: string; readonly cursors: readonly string[] }>({
    of: filters,
    cursors: [],
  });
  const cursors = shown.of === filters ? shown.cursors : [];
  return { cursors, showMore: (cursor: string) => setShown({ of: filters, cursors: [...cursors, cursor] }) };
}

export interface MorePagesProps<Name extends PagedRoute> {
  readonly name: Name;
  readonly request: Request<Name>;
  readonly first: Page<Item<Name>>;
  readonly cursors: readonly string[];
  readonly onMore: (cursor: string) => void;
  readonly children: (items: readonly Item<Name>[]) => ReactNode;
}

export function MorePages<Name extends PagedRoute>(props: MorePagesProps<Name>) {
  const { name, request, first, cursors, onMore, children } = props;
  const texts = useTexts(commonTexts);
  const further = useQueries({
    queries: cursors.map((cursor) => {
      const { query } = request as { readonly query?: object };
      return read(name, { ...request, query: { ...query, cursor } });
    }),
  });
  const pages = further.flatMap(({ data }) => (data === undefined ? [] : [data as unknown as Page<Item<Name>>]));
  const last = pages.at(-1) ?? first;
  const failed = further.find(({ error }) => error !== null);
  const isLoading = further.some(({ isPending }) => isPending);
  return (
    <>
      {children(uniqueItems([first, ...pages].flatMap(({ items }) => items)))}
      {failed !== undefined && <FaultNotice fault={faultOf(failed.error)} />}
      {last.next !== null && (
        <div className="more">
          <button
            type="button"
            className="button"
            aria-disabled={isLoading}
            onClick={() => !isLoading && last.next !== null && onMore(last.next)}
          >
            {isLoading ? texts.loading : texts.more}
          </button>
        </div>
      )}
    </>
  );
}

/** Rows move between pages while they are read one after the other. */
function uniqueItems<Row>(items: readonly Row[]): readonly Row[] {
  const seen = new Set<unknown>();
  return items.filter((item) => {
    const { id, sequence } = item as { readonly id?: string; readonly sequence?: string };
    const key = id ?? sequence ?? item;
    return !seen.has(key) && seen.add(key);
  });
}
