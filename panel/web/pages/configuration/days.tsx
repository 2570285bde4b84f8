// Closed days of an operation: totals and digest, and, once a day is opened, what people have to check for it.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Answered } from '../../../../contract/panel/routes.js';
import { read } from '../../api/queries.js';
import { useTexts } from '../../preferences.js';
import { Copyable } from '../../ui/copyable.js';
import { Facts } from '../../ui/facts.js';
import { Money } from '../../ui/money.js';
import { Loaded } from '../../ui/states.js';
import { Instant } from '../../ui/time.js';
import { moneyTexts } from '../../texts/money.js';
import { OperationList } from './operation-list.js';
import type { Operation } from './operations.js';

type Day = Answered<'readDays'>['items'][number];

export function Days({ of: { id, time_zone: zone } }: { readonly of: Operation }) {
  const texts = useTexts(moneyTexts);
  return (
    <OperationList name="readDays" operation={id} title={texts.days} none={texts.noDays}>
      {(items) =>
        items.map((day) => <ClosedDay key={`${day.day} ${day.currency}`} operation={id} of={day} zone={zone} />)
      }
    </OperationList>
  );
}

interface ClosedDayProps {
  readonly operation: string;
  readonly of: Day;
  readonly zone: string;
}

function ClosedDay({ operation, of: day, zone }: ClosedDayProps) {
  const { day: texts } = useTexts(moneyTexts);
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="closed-day" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <strong>{day.day}</strong> UTC · {texts.items(day.items)} · {texts.depositsPaid}{' '}
        <Money of={day.deposits_paid} /> · {texts.withdrawalsPaid} <Money of={day.withdrawals_paid} />
      </summary>
      <Facts
        of={[
          [texts.refunds, <Money key="refunds" of={day.refunds} />],
          [texts.chargebacks, <Money key="chargebacks" of={day.chargebacks} />],
          [texts.fees, <Money key="fees" of={day.fees} />],
          [texts.carriedOver, texts.items(day.carried_over)],
          [texts.frozenAt, <Instant key="frozen" at={day.frozen_at} zone={zone} />],
          [texts.digest, <Copyable key="digest" text={day.digest} />],
        ]}
      />
      {isOpen && <Exceptions operation={operation} of={day} zone={zone} />}
    </details>
  );
}

function Exceptions({ operation, of: { day, currency }, zone }: ClosedDayProps) {
  const { day: texts } = useTexts(moneyTexts);
  const query = useQuery(read('readDayExceptions', { params: { operation, day, currency } }));
  return (
    <>
      <h4>{texts.exceptions}</h4>
      <Loaded query={query}>
        {({ items, more }) => (
          <>
            {items.length === 0 && <p className="quiet">{texts.noExceptions}</p>}
            <ul className="rows">
              {items.map(({ kind, payment_id: id, amount, at }) => (
                <li key={`${kind} ${id} ${at}`}>
                  <Link to="/payments/$id" params={{ id }}>
                    <Money of={amount} />
                  </Link>
                  <span>{texts.kinds[kind]}</span>
                  <Instant at={at} zone={zone} />
                </li>
              ))}
            </ul>
            {more && <p className="quiet">{texts.more}</p>}
          </>
        )}
      </Loaded>
    </>
  );
}
