// Payments of an operation that payers' banks ask back: by when each can be answered, at the provider.
import { Link } from '@tanstack/react-router';
import type { Answered } from '../../../../contract/panel/routes.js';
import { useWords } from '../../preferences.js';
import { TableBox, TableHead } from '../../ui/facts.js';
import { Money } from '../../ui/money.js';
import { Instant } from '../../ui/time.js';
import { moneyWords } from '../../words/money.js';
import { OperationList } from './operation-list.js';
import type { Operation } from './operations.js';

type Dispute = Answered<'readDisputes'>['items'][number];

export function Disputes({ of: { id, name, time_zone: zone } }: { readonly of: Operation }) {
  const words = useWords(moneyWords);
  return (
    <OperationList name="readDisputes" operation={id} title={words.disputes} none={words.noDisputes}>
      {(items) => <Cases of={items} zone={zone} label={`${words.disputes}: ${name}`} />}
    </OperationList>
  );
}

interface CasesProps {
  readonly of: readonly Dispute[];
  readonly label: string;
  readonly zone: string;
}

function Cases({ of, label, zone }: CasesProps) {
  const { dispute: words } = useWords(moneyWords);
  return (
    <TableBox label={label}>
      <TableHead of={[words.status, words.due, words.opened, words.payment, words.reason]} />
      <tbody>
        {of.map((dispute) => (
          <tr key={`${dispute.provider} ${dispute.id}`}>
            <td>
              <span className={dispute.status === 'open' ? 'chip chip-wait' : 'chip chip-plain'}>
                {words.statuses[dispute.status]}
              </span>
            </td>
            <td>{dispute.due_at === null ? words.noDeadline : <Instant at={dispute.due_at} zone={zone} />}</td>
            <td>
              <Instant at={dispute.opened_at} zone={zone} />
            </td>
            <td>
              <Link to="/payments/$id" params={{ id: dispute.deposit_id }}>
                {dispute.amount === null ? words.amountUnknown : <Money of={dispute.amount} />}
              </Link>
            </td>
            <td>{dispute.reason === null ? words.unknown : words.reasons[dispute.reason]}</td>
          </tr>
        ))}
      </tbody>
    </TableBox>
  );
}
