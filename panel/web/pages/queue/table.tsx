// The queue's rows. J and K move from case to case, Enter opens one: the focus is on the link of its row.
import { Link } from '@tanstack/react-router';
import { useRef } from 'react';
import type { Answered } from '../../../../contract/panel/routes.js';
import type { QueueFilters } from '../../app/search.js';
import { useSession } from '../../api/session.js';
import { useTexts } from '../../preferences.js';
import { useRowKeys } from '../../ui/row-keys.js';
import { PlayerLink } from '../../ui/player-link.js';
import { Money } from '../../ui/money.js';
import { TableBox } from '../../ui/facts.js';
import { useDuration, useNow } from '../../ui/time.js';
import { useOperationName } from '../../ui/operation-name.js';
import { caseTexts } from '../../texts/case.js';
import { commonTexts } from '../../texts/common.js';
import { playerTexts } from '../../texts/player.js';
import { queueTexts } from '../../texts/queue.js';
import { workTexts } from '../../texts/work.js';
import { ReasonChips } from '../case/reasons.js';

type QueueItem = Answered<'readQueue'>['items'][number];

export interface QueueTableProps {
  readonly items: readonly QueueItem[];
  readonly filters: QueueFilters;
}

export function QueueTable({ items, filters }: QueueTableProps) {
  const texts = useTexts(queueTexts);
  const body = useRef<HTMLTableSectionElement>(null);
  useRowKeys(body);
  return (
    <TableBox label={texts.title}>
      <thead>
        <tr>
          {Object.entries(texts.columns).map(([name, text]) => (
            <th key={name} scope="col" className={name === 'amount' ? 'number' : undefined}>
              {text}
            </th>
          ))}
        </tr>
      </thead>
      <tbody ref={body}>
        {items.map((item) => (
          <Row key={item.id} item={item} filters={filters} />
        ))}
      </tbody>
    </TableBox>
  );
}

function Row({ item, filters }: { readonly item: QueueItem; readonly filters: QueueFilters }) {
  const { kinds } = useTexts(commonTexts);
  const operationName = useOperationName();
  const texts = useTexts(queueTexts);
  const { id, amount, paid_amount: paid } = item;
  return (
    <tr className={item.is_overdue ? 'row-late' : undefined}>
      <td>
        <Due since={item.since} decideBy={item.decide_by} />
      </td>
      <td className="number">
        <Link to="/cases/$id" params={{ id }} search={filters} className="row-link" data-row>
          <Money of={amount} />
        </Link>
        {paid !== null && paid.amount !== amount.amount && (
          <div className="quiet">
            {texts.paid} <Money of={paid} />
          </div>
        )}
      </td>
      <td>{kinds[item.kind]}</td>
      <td className="queue-reasons">
        <ReasonChips reasons={item.reasons} most={3} />
        <Undone item={item} />
      </td>
      <td>
        <PlayerLink operationId={item.operation.id} playerRef={item.player_ref} />
        <Blocked item={item} />
      </td>
      <td>{operationName(item.operation)}</td>
      <td>
        <Approvals item={item} />
      </td>
      <td>
        <Holder item={item} />
      </td>
    </tr>
  );
}

/** That a return which people ordered was not made: the case says why. */
function Undone({ item }: { readonly item: QueueItem }) {
  const { undone } = useTexts(caseTexts);
  return item.return_undone && <div className="quiet bad">{undone}</div>;
}

/** That the player, or something of theirs, is on the block list. */
function Blocked({ item: { blocked } }: { readonly item: QueueItem }) {
  const texts = useTexts(caseTexts);
  const { listKinds } = useTexts(playerTexts);
  if (blocked.length === 0) return null;
  const kinds = blocked.map((kind) => listKinds[kind] ?? kind).join(', ');
  return (
    <div className="quiet bad" title={kinds}>
      {texts.blocked}
      <span className="hidden">: {kinds}</span>
    </div>
  );
}

/** How much of the time to decide has passed. */
export function Due({ since, decideBy }: { readonly since: string; readonly decideBy: string }) {
  const texts = useTexts(queueTexts);
  const duration = useDuration();
  const now = useNow();
  const leftMs = Date.parse(decideBy) - now;
  const whole = Date.parse(decideBy) - Date.parse(since);
  const gone = Math.min(1, Math.max(0, 1 - leftMs / whole));
  const tone = leftMs <= 0 ? 'bad' : gone > 0.7 ? 'wait' : 'go';
  return (
    <div className={`due due-${tone}`}>
      <span>{leftMs > 0 ? texts.left(duration(leftMs)) : texts.late(duration(-leftMs))}</span>
      <progress max={100} value={Math.round(gone * 100)} aria-hidden="true" />
    </div>
  );
}

function Approvals({ item: { approvals } }: { readonly item: QueueItem }) {
  const texts = useTexts(queueTexts);
  if (approvals.needed < 2 && approvals.given.length === 0) return null;
  return (
    <span
      className="chip chip-plain"
      title={approvals.given.length === 0 ? undefined : texts.approvedBy(approvals.given.join(', '))}
    >
      {texts.approvals(approvals.given.length, approvals.needed)}
    </span>
  );
}

/** Who has it, or looks at it now. */
function Holder({ item: { claim, work } }: { readonly item: QueueItem }) {
  const texts = useTexts(queueTexts);
  const { asked, escalated } = useTexts(workTexts);
  const { handle } = useSession();
  const person = work.assigned_to ?? claim?.person ?? null;
  return (
    <>
      {person !== null && <span className="quiet">{person === handle ? texts.you : person}</span>}{' '}
      {work.is_asked && <span className="chip chip-wait">{asked}</span>}
      {work.is_escalated && <span className="chip chip-bad">{escalated}</span>}
    </>
  );
}
