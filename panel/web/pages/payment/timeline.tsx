// What happened, in one order: requests to the provider, acts of people, transfers of the ledger, and events with their
// deliveries.
import { ask } from '../../api/client.js';
import { refreshShown } from '../../api/queries.js';
import { useTexts } from '../../preferences.js';
import { ActButton } from '../../ui/act-button.js';
import { EventBody } from '../../ui/event-body.js';
import { Section } from '../../ui/facts.js';
import { Money } from '../../ui/money.js';
import { FaultNotice } from '../../ui/states.js';
import { Status } from '../../ui/status.js';
import { Instant } from '../../ui/time.js';
import { say } from '../../ui/toast.js';
import { useAct } from '../../ui/use-act.js';
import { actTexts } from '../../texts/acts.js';
import { paymentTexts } from '../../texts/payment.js';
import { type Act, ActLine } from './people.js';
import type { Payment, PaymentProps } from './types.js';

type Event = Payment['timeline'][number];
type Delivery = Event['deliveries'][number];
type Exchange = Payment['exchanges'][number];
type Transfer = Payment['ledger'][number];

export function Timeline({ payment }: PaymentProps) {
  const texts = useTexts(paymentTexts);
  const zone = payment.operation.time_zone;
  const happened = [
    ...payment.exchanges.map((exchange, index) => ({
      at: exchange.step_at,
      key: `request ${index}`,
      shown: <RequestLine exchange={exchange} zone={zone} />,
    })),
    ...payment.ledger.map((transfer) => ({
      at: transfer.at,
      key: transfer.step,
      shown: <TransferLine transfer={transfer} zone={zone} />,
    })),
    ...payment.people.map((act) => ({
      at: act.at,
      key: `act ${act.key}`,
      shown: <PersonLine act={act} zone={zone} />,
    })),
    ...payment.timeline.map((event) => ({
      at: event.at,
      key: event.event_id,
      shown: <TimelineEvent event={event} payment={payment} />,
    })),
  ];
  return (
    <Section title={texts.timeline}>
      <ol className="timeline">
        {happened
          // Of one moment the request comes first, then the transfer, then its event.
          .toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))
          .map(({ key, shown }) => (
            <li key={key}>{shown}</li>
          ))}
      </ol>
      <p className="quiet">{texts.timelineNote}</p>
    </Section>
  );
}

/** A request to the provider: never its body, which names people. */
function RequestLine({ exchange, zone }: { readonly exchange: Exchange; readonly zone: string }) {
  const texts = useTexts(paymentTexts);
  const { call, method, path, status, fault, at, duration_ms: ms } = exchange;
  const isGood = status !== null && status < 400;
  return (
    <p>
      <span className={isGood ? 'chip chip-plain' : 'chip chip-bad'}>
        {texts.providerRequest} {status ?? <code>{fault}</code>}
      </span>{' '}
      {texts.calls[call] ?? call}{' '}
      <code>
        {method} {path}
      </code>{' '}
      <span className="quiet">
        · <Instant at={at} zone={zone} /> · {texts.milliseconds(ms)}
      </span>
    </p>
  );
}

function PersonLine({ act, zone }: { readonly act: Act; readonly zone: string }) {
  const texts = useTexts(actTexts);
  return (
    <p>
      <span className="chip chip-plain">{act.is_provider ? texts.provider : texts.person}</span>{' '}
      <ActLine act={act} zone={zone} />
    </p>
  );
}

function TransferLine({ transfer, zone }: { readonly transfer: Transfer; readonly zone: string }) {
  const texts = useTexts(paymentTexts);
  const { movement, entries, currency, at } = transfer;
  const amounts = entries.map(({ amount_minor: amount }) => BigInt(amount)).filter((amount) => amount > 0n);
  const moved = amounts.reduce((sum, amount) => sum + amount, 0n).toString();
  return (
    <p>
      <span className="chip chip-plain">{texts.ledger}</span> {texts.movements[movement] ?? movement}{' '}
      <Money of={{ amount: moved, currency }} />{' '}
      <span className="quiet">
        · <Instant at={at} zone={zone} />
      </span>
    </p>
  );
}

function TimelineEvent({ event, payment }: PaymentProps & { readonly event: Event }) {
  const texts = useTexts(paymentTexts);
  const zone = payment.operation.time_zone;
  const status = event.type.slice(event.type.indexOf('.') + 1);
  return (
    <>
      <p>
        <Status of={status} /> <Instant at={event.at} zone={zone} />{' '}
        <span className="quiet">· {texts.version(event.version)}</span>
      </p>
      <Deliveries of={event.deliveries} zone={zone} />
      <EventBody id={event.event_id} />
      <Redeliver id={payment.id} eventId={event.event_id} possibility={payment.acts.redeliver} />
    </>
  );
}

function Deliveries({ of, zone }: { readonly of: readonly Delivery[]; readonly zone: string }) {
  const texts = useTexts(paymentTexts);
  if (of.length === 0) return <p className="quiet">{texts.noDelivery}</p>;
  return (
    <ul className="plain">
      {of.map(({ attempt, sent_at: at, response_status: status, error, duration_ms: ms, next_attempt_at: next }) => (
        <li key={`${attempt} ${at}`}>
          <span className={status !== null && status < 300 ? 'chip chip-good' : 'chip chip-bad'}>
            {status !== null && status < 300 ? texts.delivered : texts.notDelivered} {status ?? error}
          </span>{' '}
          <span className="quiet">
            {texts.attempt(attempt)} · <Instant at={at} zone={zone} /> · {texts.milliseconds(ms)}
            {next !== null && (
              <>
                {' '}
                · {texts.again} <Instant at={next} zone={zone} />
              </>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}

interface RedeliverProps {
  readonly id: string;
  readonly eventId: string;
  readonly possibility: Payment['acts']['redeliver'];
}

/** Receivers identify an event by its id, and apply a repeated one once. */
function Redeliver({ id, eventId, possibility }: RedeliverProps) {
  const texts = useTexts(paymentTexts);
  const { state, send, reset } = useAct(() =>
    ask('actOnPayment', { params: { id }, body: { act: 'redeliver', event_id: eventId } }),
  );
  if (!possibility.possible) return null;
  const redeliver = async () => {
    const { kind } = await send(undefined);
    if (kind !== 'done') return;
    say({ text: texts.outcomes.under_way, tone: 'good' });
    reset();
    await refreshShown();
  };
  return (
    <>
      <ActButton possibility={possibility} onAct={() => void redeliver()}>
        {texts.redeliver}
      </ActButton>
      {(state.kind === 'refused' || state.kind === 'unknown') && (
        <FaultNotice fault={state.fault}>
          <button type="button" className="button" onClick={reset}>
            {texts.seen}
          </button>
        </FaultNotice>
      )}
    </>
  );
}
