// Days of the providers' statements: whether each agrees with the ledger and, once opened, where it does not.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Answered } from '../../../../contract/panel/routes.js';
import { STATEMENT_TIME_ZONE } from '../../../../domain/statements.js';
import type { AccountName } from '../../../../domain/provider-accounts.js';
import { read } from '../../api/queries.js';
import { useWords } from '../../preferences.js';
import { Copyable } from '../../ui/copyable.js';
import { Facts, Section, TableBox, TableHead } from '../../ui/facts.js';
import { Money } from '../../ui/money.js';
import { PaymentLink } from '../../ui/payment-link.js';
import { Loaded } from '../../ui/states.js';
import { Instant } from '../../ui/time.js';
import { moneyWords } from '../../words/money.js';

type StatementDay = NonNullable<Answered<'readStatements'>['items']>[number];
type Difference = Answered<'readStatement'>['items'][number];

export function Statements() {
  const words = useWords(moneyWords);
  const query = useQuery(read('readStatements', {}));
  // Accounts are shared, so only people who may see every operation see them.
  if (query.data?.items === null) return null;
  return (
    <Section title={words.statements}>
      <Loaded query={query}>
        {({ items }) =>
          items === null || items.length === 0 ? (
            <p className="quiet">{words.noStatements}</p>
          ) : (
            items.map((day) => <ComparedDay key={`${day.provider} ${day.day}`} of={day} />)
          )
        }
      </Loaded>
    </Section>
  );
}

function ComparedDay({ of: day }: { readonly of: StatementDay }) {
  const { statement: words } = useWords(moneyWords);
  const [isOpen, setOpen] = useState(false);
  const differences = day.missing_here + day.missing_there + day.amount_differs;
  return (
    <details className="closed-day" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <strong>{day.day}</strong> {words.of(day.provider)} · {words.lines(day.lines)}{' '}
        <span className={day.agrees ? 'chip chip-good' : 'chip chip-bad'}>
          {day.agrees ? words.agrees : words.differs(differences)}
        </span>
      </summary>
      <Facts
        of={[
          [words.matched, day.matched],
          [words.comparisons.missing_here, day.missing_here],
          [words.comparisons.missing_there, day.missing_there],
          [words.comparisons.amount_differs, day.amount_differs],
          [words.undecided, day.undecided],
          [words.comparedAt, <Instant key="compared" at={day.compared_at} zone={STATEMENT_TIME_ZONE} />],
          [words.comparedBy, day.compared_by],
        ]}
      />
      {isOpen && <Differences of={day} />}
    </details>
  );
}

function Differences({ of: { provider, day } }: { readonly of: StatementDay }) {
  const { statement: words } = useWords(moneyWords);
  const query = useQuery(read('readStatement', { params: { provider: provider as AccountName, day } }));
  return (
    <Loaded query={query}>
      {({ items, digest }) => (
        <>
          {items.length > 0 && (
            <TableBox label={`${provider} ${day}`}>
              <TableHead of={[words.what, words.reference, words.statement, words.ledger, words.payment]} />
              <tbody>
                {items.map((difference) => (
                  <DifferenceRow key={`${difference.kind} ${difference.reference}`} of={difference} />
                ))}
              </tbody>
            </TableBox>
          )}
          <p className="quiet digest">
            {words.digest}: <Copyable text={digest} />
          </p>
        </>
      )}
    </Loaded>
  );
}

function DifferenceRow({ of: { comparison, kind, reference, subject, ...amounts } }: { readonly of: Difference }) {
  const { statement: words } = useWords(moneyWords);
  return (
    <tr>
      <td>
        {words.comparisons[comparison]}: {words.kinds[kind]}
      </td>
      <td>
        <PaymentLink id={subject}>{reference}</PaymentLink>
      </td>
      {(['statement', 'ledger', 'payment'] as const).map((side) => (
        <td key={side} className="number">
          {amounts[side] === null ? words.nothing : <Money of={amounts[side]} />}
        </td>
      ))}
    </tr>
  );
}
