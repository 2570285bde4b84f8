// Late and extra payments of an operation that wait in suspense: what is left of each, since when, and where the rest
// went. One goes back to its payer from here; the gateway command enters the other exits.
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Answered } from '../../../../contract/panel/routes.js';
import { ask } from '../../api/client.js';
import { useTexts } from '../../preferences.js';
import { caseTexts } from '../../texts/case.js';
import { isShort, ReasonField } from '../case/reason-field.js';
import { ActDialog } from './act-dialog.js';
import { TableBox, TableHead } from '../../ui/facts.js';
import { Words } from '../../ui/theirs.js';
import { Money, useMoney } from '../../ui/money.js';
import { Instant } from '../../ui/time.js';
import { useWhyNot } from '../../ui/why-not.js';
import { WhyButton } from '../../ui/why-button.js';
import { moneyTexts } from '../../texts/money.js';
import { OperationList } from './operation-list.js';
import type { Operation } from './operations.js';

type Item = Answered<'readSuspense'>['items'][number];

export function Suspense({ of: { id, name, time_zone: zone } }: { readonly of: Operation }) {
  const { suspense: texts } = useTexts(moneyTexts);
  return (
    <OperationList name="readSuspense" operation={id} title={texts.title} none={texts.none}>
      {(items) => <Items of={items} operation={id} zone={zone} label={`${texts.title}: ${name}`} />}
    </OperationList>
  );
}

interface ItemsProps {
  readonly of: readonly Item[];
  readonly operation: string;
  readonly label: string;
  readonly zone: string;
}

function Items({ of, operation, label, zone }: ItemsProps) {
  const { suspense: texts } = useTexts(moneyTexts);
  return (
    <TableBox label={label}>
      <TableHead
        of={[
          texts.received,
          texts.left,
          texts.payment,
          texts.payer,
          texts.account,
          texts.endToEndId,
          texts.exits,
          texts.act,
        ]}
      />
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
            <td>
              <Payer of={item.payer} />
            </td>
            <td>{item.account}</td>
            <td>
              <code>{item.end_to_end_id}</code>
            </td>
            <td>
              <Exits of={item.exits} />
            </td>
            <td>
              <ReturnItem of={item} operation={operation} />
            </td>
          </tr>
        ))}
      </tbody>
    </TableBox>
  );
}

/** Masked. The player of a deposit may be another person. */
function Payer({ of }: { readonly of: Item['payer'] }) {
  const { suspense: texts } = useTexts(moneyTexts);
  if (of === null) return texts.unknownPayer;
  return (
    <>
      <Words text={of.name ?? texts.unknownPayer} />
      {of.document !== null && <div className="whole">{of.document}</div>}
      <span className="quiet">{of.matches_player ? texts.isPlayer : texts.isNotPlayer}</span>
    </>
  );
}

interface ReturnProps {
  readonly of: Item;
  readonly operation: string;
}

/** The button that has the provider return what is left. */
function ReturnItem({ of: { end_to_end_id: payment, left }, operation }: ReturnProps) {
  const { suspense: texts } = useTexts(moneyTexts);
  const { reason: label, reasonTooShort } = useTexts(caseTexts);
  const whyNot = useWhyNot(operation);
  const money = useMoney();
  const [isOpen, setOpen] = useState(false);
  const [reason, setReason] = useState('');
  const { button, title, text } = texts.returning;
  const body = { kind: 'item_return', payment, left: left.amount, reason: reason.trim() } as const;
  return (
    <>
      <WhyButton why={whyNot('cash.move')} label={title(payment)} onAct={() => setOpen(true)}>
        {button}
      </WhyButton>
      {isOpen && (
        <ActDialog
          title={title(payment)}
          text={text(money(left))}
          button={button}
          needsTwo
          why={isShort(reason) ? reasonTooShort : null}
          send={() => ask('changeOperation', { params: { operation }, body })}
          onClose={() => setOpen(false)}
        >
          <ReasonField label={label} value={reason} onChange={setReason} autoFocus />
        </ActDialog>
      )}
    </>
  );
}

function Exits({ of }: { readonly of: Item['exits'] }) {
  const { suspense: texts } = useTexts(moneyTexts);
  const money = useMoney();
  if (of.length === 0) return texts.noExits;
  return of.map(({ way, amount, said_by: by }) => `${texts.ways[way](money(amount))} (${texts.saidBy[by]})`).join('; ');
}
