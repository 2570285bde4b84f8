// What was sent to an operation's endpoint, newest first, and what it answered.
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { Answered } from '../../../../contract/panel/routes.js';
import { ask } from '../../api/client.js';
import { readList, refreshShown } from '../../api/queries.js';
import { webhookFilters } from '../../app/search.js';
import { useTexts } from '../../preferences.js';
import { EventBody } from '../../ui/event-body.js';
import { TableBox, TableHead } from '../../ui/facts.js';
import { MorePages, usePages } from '../../ui/more-pages.js';
import { ObjectLink } from '../../ui/object-link.js';
import { FaultNotice, Loaded } from '../../ui/states.js';
import { Instant } from '../../ui/time.js';
import { say } from '../../ui/toast.js';
import { useAct } from '../../ui/use-act.js';
import { WhyButton } from '../../ui/why-button.js';
import { useWhyNot } from '../../ui/why-not.js';
import { webhookTexts } from '../../texts/webhooks.js';
import type { Operation } from '../configuration/operations.js';

const route = getRouteApi('/gate/webhooks');

type Attempt = Answered<'readDeliveries'>['items'][number];

export function DeliveryLog({ operation: { id, name, time_zone: zone } }: { readonly operation: Operation }) {
  const texts = useTexts(webhookTexts);
  const { failed } = route.useSearch();
  const navigate = route.useNavigate();
  const onlyFailed = failed === 'yes';
  const show = (isOnly: boolean) =>
    void navigate({ search: (before) => webhookFilters({ ...before, failed: isOnly ? 'yes' : '' }), replace: true });
  const { cursors, showMore } = usePages(String(onlyFailed));
  const request = { params: { operation: id }, query: onlyFailed ? { failed: 'yes' as const } : {} };
  const first = useQuery(readList('readDeliveries', request));
  const mayRedeliver = useWhyNot(id)('event.redeliver') === null;
  return (
    <>
      <form className="filters" onSubmit={(event) => event.preventDefault()}>
        <label>
          <input type="checkbox" checked={onlyFailed} onChange={({ target }) => show(target.checked)} />
          {texts.onlyFailed}
        </label>
      </form>
      <Loaded query={first}>
        {(page) =>
          page.items.length === 0 ? (
            <p className="quiet">{texts.noAttempts}</p>
          ) : (
            <MorePages name="readDeliveries" request={request} first={page} cursors={cursors} onMore={showMore}>
              {(items) => <Attempts of={items} label={texts.logOf(name)} zone={zone} mayRedeliver={mayRedeliver} />}
            </MorePages>
          )
        }
      </Loaded>
    </>
  );
}

interface AttemptsProps {
  readonly of: readonly Attempt[];
  readonly label: string;
  readonly zone: string;
  /** What the button above the log says of whoever may not. */
  readonly mayRedeliver: boolean;
}

function Attempts({ of, label, zone, mayRedeliver }: AttemptsProps) {
  const { columns, milliseconds } = useTexts(webhookTexts);
  const { act, ...always } = columns;
  return (
    <TableBox label={label}>
      <TableHead of={[...Object.values(always), ...(mayRedeliver ? [act] : [])]} />
      <tbody>
        {of.map((attempt) => (
          <tr key={attempt.id}>
            <td>
              <Instant at={attempt.sent_at} zone={zone} />
            </td>
            <td className="whole">
              <code>{attempt.type}</code>
              <EventBody id={attempt.event_id} />
            </td>
            <td className="subject">
              <About id={attempt.object_id} />
            </td>
            <td className="number">{attempt.attempt}</td>
            <td>
              <Answer of={attempt} /> <span className="quiet">{milliseconds(attempt.duration_ms)}</span>
            </td>
            <td>{attempt.next_attempt_at === null ? '—' : <Instant at={attempt.next_attempt_at} zone={zone} />}</td>
            {mayRedeliver && (
              <td>
                <Redeliver event={attempt} />
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </TableBox>
  );
}

/** Receivers know an event by its id, and apply a repeated one once. */
function Redeliver({ event: { event_id: id, type, object_id: about } }: { readonly event: Attempt }) {
  const texts = useTexts(webhookTexts);
  const { state, send, reset } = useAct(() => ask('redeliverEvent', { params: { id } }));
  const redeliver = async () => {
    const ended = await send(undefined);
    if (ended.kind !== 'done') return;
    say({ text: texts.scheduled(ended.answer.events), tone: 'good' });
    reset();
    await refreshShown();
  };
  return (
    <>
      <WhyButton why={null} label={texts.redeliverOf(`${type} ${about}`)} onAct={() => void redeliver()}>
        {texts.redeliverOne}
      </WhyButton>
      {(state.kind === 'refused' || state.kind === 'unknown') && <FaultNotice fault={state.fault} />}
    </>
  );
}

function About({ id }: { readonly id: string }) {
  return (
    <ObjectLink id={id}>
      <code>{id}</code>
    </ObjectLink>
  );
}

function Answer({ of: { response_status: status, error } }: { readonly of: Attempt }) {
  const isAccepted = status !== null && status >= 200 && status <= 299;
  return <span className={isAccepted ? 'chip chip-good' : 'chip chip-bad'}>{status ?? error ?? '—'}</span>;
}
