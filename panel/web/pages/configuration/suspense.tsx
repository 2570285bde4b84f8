// Late and extra payments of an operation that wait in suspense: what is left of each, since when, and where the rest
// went. From here all that is left of one goes back to its payer, and all or a part of it to its player or into
// funding. Returns that the provider has made already are entered with the gateway command.
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { Answered } from '../../../../contract/panel/routes.js';
import { ask } from '../../api/client.js';
import { refreshShown } from '../../api/queries.js';
import { useTexts } from '../../preferences.js';
import { caseTexts } from '../../texts/case.js';
import { AssignButton } from '../alerts/assign-button.js';
import { isShort, ReasonField } from '../case/reason-field.js';
import { ActDialog } from './act-dialog.js';
import { TableBox, TableHead } from '../../ui/facts.js';
import { Words } from '../../ui/theirs.js';
import { minorOf, Money, typedAmount, useMoney } from '../../ui/money.js';
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
  // No event says that a return is over, and the row goes with it.
  useRefreshWhile(of.some((item) => item.under_way === 'return'));
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
          texts.owner,
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
              <Owner of={item.alert} operation={operation} />
            </td>
            <td>
              <ItemActs of={item} operation={operation} />
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

interface OwnerProps {
  readonly of: Item['alert'];
  readonly operation: string;
}

/** Who looks after it: whoever took the alert about it. */
function Owner({ of, operation }: OwnerProps) {
  const { suspense: texts } = useTexts(moneyTexts);
  const whyNot = useWhyNot(operation);
  if (of === null) return '—';
  return (
    <>
      {of.assigned_to !== null && <div>{of.assigned_to}</div>}
      <AssignButton alert={of} why={whyNot('alert.resolve')} giveBack={texts.letGo} />
    </>
  );
}

interface ItemActsProps {
  readonly of: Item;
  readonly operation: string;
}

const WAYS = ['item_return', 'item_credit', 'item_funding'] as const;

/** A button for each way out; while one is under way only the first, which says so. */
function ItemActs({ of, operation }: ItemActsProps) {
  const { suspense: texts } = useTexts(moneyTexts);
  const [chosen, setChosen] = useState<(typeof WAYS)[number] | null>(null);
  const whyNot = useWhyNot(operation);
  const { end_to_end_id: payment, under_way: underWay } = of;
  const why = underWay === null ? whyNot('cash.move') : texts.underWay[underWay];
  return (
    <>
      <div className="buttons">
        {(underWay === null ? WAYS : WAYS.slice(0, 1)).map((way) => (
          <WhyButton key={way} why={why} label={texts.acts[way].title(payment)} onAct={() => setChosen(way)}>
            {texts.acts[way].button}
          </WhyButton>
        ))}
      </div>
      {chosen !== null && <ExitDialog of={of} operation={operation} way={chosen} onClose={() => setChosen(null)} />}
    </>
  );
}

interface ExitDialogProps extends ItemActsProps {
  readonly way: (typeof WAYS)[number];
  readonly onClose: () => void;
}

/** What the act does with what is left, how much of it, and why. */
function ExitDialog({ of: { end_to_end_id: payment, left }, operation, way: kind, onClose }: ExitDialogProps) {
  const { acts, amount: amountLabel, amountWrong } = useTexts(moneyTexts).suspense;
  const { button, title, text } = acts[kind];
  const { reason: label, reasonTooShort } = useTexts(caseTexts);
  const money = useMoney();
  const [reason, setReason] = useState('');
  const [typed, setTyped] = useState(typedAmount(left.amount));
  const amount = minorOf(typed);
  const isAmountRight = amount !== undefined && BigInt(amount) > 0n && BigInt(amount) <= BigInt(left.amount);
  const asked = { payment, left: left.amount, reason: reason.trim() };
  // The provider returns the whole: it makes one return of a payment here.
  const body = kind === 'item_return' ? { kind, ...asked } : { kind, ...asked, amount };
  return (
    <ActDialog
      title={title(payment)}
      text={text(money(isAmountRight ? { ...left, amount } : left))}
      button={button}
      needsTwo
      why={isAmountRight ? (isShort(reason) ? reasonTooShort : null) : amountWrong(money(left))}
      send={() => ask('changeOperation', { params: { operation }, body })}
      onClose={onClose}
    >
      {kind !== 'item_return' && (
        <label>
          {amountLabel}
          <input value={typed} inputMode="decimal" maxLength={20} onChange={({ target }) => setTyped(target.value)} />
        </label>
      )}
      <ReasonField label={label} value={reason} onChange={setReason} autoFocus />
    </ActDialog>
  );
}

const REFRESH_EVERY_MS = 3_000;

function useRefreshWhile(isUnderWay: boolean): void {
  useEffect(() => {
    if (!isUnderWay) return;
    const timer = setInterval(() => void refreshShown(), REFRESH_EVERY_MS);
    return () => clearInterval(timer);
  }, [isUnderWay]);
}

function Exits({ of }: { readonly of: Item['exits'] }) {
  const { suspense: texts } = useTexts(moneyTexts);
  const money = useMoney();
  if (of.length === 0) return texts.noExits;
  return of.map(({ way, amount, said_by: by }) => `${texts.ways[way](money(amount))} (${texts.saidBy[by]})`).join('; ');
}
