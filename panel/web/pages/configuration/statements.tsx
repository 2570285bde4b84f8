// Days of the providers' statements: whether each agrees with the ledger and, once opened, where it does not.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Answered } from '../../../../contract/panel/routes.js';
import { STATEMENT_TIME_ZONE } from '../../../../domain/statements.js';
import type { AccountName } from '../../../../domain/provider-accounts.js';
import { read } from '../../api/queries.js';
import { useTexts } from '../../preferences.js';
import { Copyable } from '../../ui/copyable.js';
import { Facts, Section, TableBox, TableHead } from '../../ui/facts.js';
import { Money } from '../../ui/money.js';
import { ObjectLink } from '../../ui/object-link.js';
import { Loaded } from '../../ui/states.js';
import { Instant } from '../../ui/time.js';
import { moneyTexts } from '../../texts/money.js';

type StatementDay = NonNullable<Answered<'readStatements'>['items']>[number];
type Difference = Answered<'readStatement'>['items'][number];

export function Statements() {
  const texts = useTexts(moneyTexts);
  const query = useQuery(read('readStatements', {}));
  // Accounts are shared, so only people who may see every operation see them.
  if (query.data?.items === null) return null;
  return (
    <Section title={texts.statements}>
      <Loaded query={query}>
        {({ items }) =>
          items === null || items.length === 0 ? (
            <p className="quiet">{texts.noStatements}</p>
          ) : (
            items.map((day) => <ComparedDay key={`${day.provider} ${day.day}`} of={day} />)
          )
        }
      </Loaded>
    </Section>
  );
}

function ComparedDay({ of: day }: { readonly of: StatementDay }) {
  const { statement: texts } = useTexts(moneyTexts);
  const [isOpen, setOpen] = useState(false);
  const differences = day.missing_here + day.missing_there + day.amount_differs;
  return (
    <details className="closed-day" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <strong>{day.day}</strong> {texts.of(day.provider)} · {texts.lines(day.lines)}{' '}
        <span className={day.agrees ? 'chip chip-good' : 'chip chip-bad'}>
          {day.agrees ? texts.agrees : texts.differs(differences)}
        </span>
      </summary>
      <Facts
        of={[
          [texts.matched, day.matched],
          [texts.comparisons.missing_here, day.missing_here],
          [texts.comparisons.missing_there, day.missing_there],
          [texts.comparisons.amount_differs, day.amount_differs],
          [texts.undecided, day.undecided],
          [texts.explained, day.resolved],
          [texts.comparedAt, <Instant key="compared" at={day.compared_at} zone={STATEMENT_TIME_ZONE} />],
          [texts.comparedBy, day.compared_by],
        ]}
      />
      {isOpen && <Differences of={day} />}
    </details>
  );
}

function Differences({ of: { provider, day } }: { readonly of: StatementDay }) {
  const { statement: texts } = useTexts(moneyTexts);
  const query = useQuery(read('readStatement', { params: { provider: provider as AccountName, day } }));
  return (
    <Loaded query={query}>
      {({ items, digest }) => (
        <>
          {items.length > 0 && (
            <TableBox label={`${provider} ${day}`}>
              <TableHead of={[texts.what, texts.reference, texts.statement, texts.ledger]} />
              <tbody>
                {items.map((difference) => (
                  <DifferenceRow key={difference.id} of={difference} />
                ))}
              </tbody>
            </TableBox>
          )}
          <p className="quiet digest">
            {texts.digest}: <Copyable text={digest} />
          </p>
        </>
      )}
    </Loaded>
  );
}

function DifferenceRow({
  of: { comparison, kind, reference, subject, explained, ...amounts },
}: {
  readonly of: Difference;
}) {
  const { statement: texts } = useTexts(moneyTexts);
  return (
    <tr>
      <td>
        {texts.comparisons[comparison]}: {texts.kinds[kind]}
        {explained && ` · ${texts.explained}`}
      </td>
      <td>
        <ObjectLink id={subject}>{reference}</ObjectLink>
      </td>
      {(['statement', 'ledger'] as const).map((side) => (
        <td key={side} className="number">
          {amounts[side] === null ? texts.nothing : <Money of={amounts[side]} />}
        </td>
      ))}
    </tr>
  );
}
