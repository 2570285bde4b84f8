// The payments of an operation, with filters in the address, saved views and the same list as a file.
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { paymentsExportAddress } from '../../api/client.js';
import { READERS } from '../../api/endpoints.js';
import { readList } from '../../api/queries.js';
import { holds, useSession } from '../../api/session.js';
import type { PaymentFilters } from '../../app/search.js';
import { useTexts } from '../../preferences.js';
import { MorePages, usePages } from '../../ui/more-pages.js';
import { type ListedOperation, OperationChoice } from '../../ui/operation-choice.js';
import { Empty, Loaded } from '../../ui/states.js';
import { useTitle } from '../../ui/title.js';
import { paymentsTexts } from '../../texts/payments.js';
import { PaymentFilterForm } from './filters.js';
import { PaymentTable } from './table.js';
import { SavedViews } from './views.js';

const route = getRouteApi('/gate/payments');

export function PaymentsPage() {
  const texts = useTexts(paymentsTexts);
  useTitle(texts.title);
  return (
    <>
      <header className="page-head">
        <h1>{texts.title}</h1>
        <p className="quiet">{texts.note}</p>
      </header>
      <OperationChoice>{(operation) => <List key={operation.id} operation={operation} />}</OperationChoice>
    </>
  );
}

function List({ operation }: { readonly operation: ListedOperation }) {
  const texts = useTexts(paymentsTexts);
  const session = useSession();
  const { operation: _, ...filters } = route.useSearch();
  const navigate = route.useNavigate();
  const show = (chosen: PaymentFilters) =>
    void navigate({ search: { ...chosen, operation: operation.id }, replace: true });
  const request = { params: { operation: operation.id }, query: filters };
  const { cursors, showMore } = usePages(JSON.stringify(request));
  const first = useQuery(readList('readPayments', request));
  return (
    <>
      <PaymentFilterForm key={JSON.stringify(filters)} filters={filters} onChange={show} />
      <SavedViews filters={filters} onChoose={show} />
      {holds(session, READERS.people) && (
        <p className="case-line">
          <a className="button" href={paymentsExportAddress(request)} download>
            {texts.export}
          </a>
          <span className="quiet">{texts.exportText}</span>
        </p>
      )}
      <Loaded query={first} lines={10}>
        {(page) => (
          <MorePages name="readPayments" request={request} first={page} cursors={cursors} onMore={showMore}>
            {(items) =>
              items.length > 0 ? (
                <PaymentTable items={items} operationId={operation.id} zone={operation.time_zone} />
              ) : (
                <Empty title={page.next === null ? texts.none : texts.goOn} />
              )
            }
          </MorePages>
        )}
      </Loaded>
    </>
  );
}
