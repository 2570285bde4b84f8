// Late and extra payments of an operation that wait in suspense: what is left of each, since when, and where the rest
// went. The gateway command enters the exits.
import { Link } from '@tanstack/react-router';
import type { Answered } from '../../../../contract/panel/routes.js';
import { useTexts } from '../../preferences.js';
import { TableBox, TableHead } from '../../ui/facts.js';
import { Money, useMoney } from '../../ui/money.js';
import { Instant } from '../../ui/time.js';
import { moneyTexts } from '../../texts/money.js';
import { OperationList } from './operation-list.js';
import type { Operation } from './operations.js';

type Item = Answered<'readSuspense'>['items'][number];

export function Suspense({ of: { id, name, time_zone: zone } }: { readonly of: Operation }) {
  const { suspense: texts } = useTexts(moneyTexts);
  return (
    <OperationList name="readSuspense" operation={id} title={texts.title} none={texts.none}>
      {(items) => <Items of={items} zone={zone} label={`${texts.title}: ${name}`} />}
    </OperationList>
  );
}

interface ItemsProps {
  readonly of: readonly Item[];
  readonly label: string;
  readonly zone: string;
}

function Items({ of, label, zone }: ItemsProps) {
  const { suspense: texts } = useTexts(moneyTexts);
  return (
    <TableBox label={label}>
      <TableHead of={[texts.received, texts.left, texts.payment, texts.account, texts.endToEndId, texts.exits]} />
      <tbody>
        {of.map((item) => (
          <tr key={`${item.account} ${item.end_to_end_id}`}>
            <td>
              <Instant at={item.received_at} zone={zone} />
            </td>
            <td>
              <Money of={item.left} />
            </td>
            <td>
              <Link to="/payments/$id" params={{ id: item.deposit }}>
                <Money of={item.amount} />
              </Link>
            </td>
            <td>{item.account}</td>
            <td>
              <code>{item.end_to_end_id}</code>
            </td>
            <td>
              <Exits of={item.exits} />
            </td>
          </tr>
        ))}
      </tbody>
    </TableBox>
  );
}

function Exits({ of }: { readonly of: Item['exits'] }) {
  const { suspense: texts } = useTexts(moneyTexts);
  const money = useMoney();
  if (of.length === 0) return texts.noExits;
  return of.map(({ way, amount, said_by: by }) => `${texts.ways[way](money(amount))} (${texts.saidBy[by]})`).join('; ');
}
