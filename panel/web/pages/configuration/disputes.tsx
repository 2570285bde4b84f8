// Payments of an operation that payers' banks ask back: by when each can be answered, at the provider.
import { Link } from '@tanstack/react-router';
import type { Answered } from '../../../../contract/panel/routes.js';
import { useTexts } from '../../preferences.js';
import { TableBox, TableHead } from '../../ui/facts.js';
import { Money } from '../../ui/money.js';
import { Instant } from '../../ui/time.js';
import { moneyTexts } from '../../texts/money.js';
import { OperationList } from './operation-list.js';
import type { Operation } from './operations.js';

type Dispute = Answered<'readDisputes'>['items'][number];

export function Disputes({ of: { id, name, time_zone: zone } }: { readonly of: Operation }) {
  const texts = useTexts(moneyTexts);
  return (
    <OperationList name="readDisputes" operation={id} title={texts.disputes} none={texts.noDisputes}>
      {(items) => <Cases of={items} zone={zone} label={`${texts.disputes}: ${name}`} />}
    </OperationList>
  );
}

interface CasesProps {
  readonly of: readonly Dispute[];
  readonly label: string;
  readonly zone: string;
}

function Cases({ of, label, zone }: CasesProps) {
  const { dispute: texts } = useTexts(moneyTexts);
  return (
    <TableBox label={label}>
      <TableHead of={[texts.status, texts.due, texts.opened, texts.payment, texts.reason]} />
      <tbody>
        {of.map((dispute) => (
          <tr key={`${dispute.provider} ${dispute.id}`}>
            <td>
              <span className={dispute.status === 'open' ? 'chip chip-wait' : 'chip chip-plain'}>
                {texts.statuses[dispute.status]}
              </span>
            </td>
            <td>{dispute.due_at === null ? texts.noDeadline : <Instant at={dispute.due_at} zone={zone} />}</td>
            <td>
              <Instant at={dispute.opened_at} zone={zone} />
            </td>
            <td>
              <Link to="/payments/$id" params={{ id: dispute.deposit_id }}>
                {dispute.amount === null ? texts.amountUnknown : <Money of={dispute.amount} />}
              </Link>
            </td>
            <td>{dispute.reason === null ? texts.unknown : texts.reasons[dispute.reason]}</td>
          </tr>
        ))}
      </tbody>
    </TableBox>
  );
}
