// What happened, in order: each event with its deliveries to the operator, and delivering one again.
import { ask } from '../../api/client.js';
import { refreshShown } from '../../api/queries.js';
import { useTexts } from '../../preferences.js';
import { ActButton } from '../../ui/act-button.js';
import { Section } from '../../ui/facts.js';
import { FaultNotice } from '../../ui/states.js';
import { Status } from '../../ui/status.js';
import { Instant } from '../../ui/time.js';
import { say } from '../../ui/toast.js';
import { useAct } from '../../ui/use-act.js';
import { paymentTexts } from '../../texts/payment.js';
import type { Payment, PaymentProps } from './types.js';

type Event = Payment['timeline'][number];
type Delivery = Event['deliveries'][number];

export function Timeline({ payment }: PaymentProps) {
  const texts = useTexts(paymentTexts);
  return (
    <Section title={texts.timeline}>
      <ol className="timeline">
        {payment.timeline.map((event) => (
          <TimelineEvent key={event.event_id} event={event} payment={payment} />
        ))}
      </ol>
    </Section>
  );
}

function TimelineEvent({ event, payment }: PaymentProps & { readonly event: Event }) {
  const texts = useTexts(paymentTexts);
  const zone = payment.operation.time_zone;
  const status = event.type.slice(event.type.indexOf('.') + 1);
  return (
    <li>
      <p>
        <Status of={status} /> <Instant at={event.at} zone={zone} />{' '}
        <span className="quiet">· {texts.version(event.version)}</span>
      </p>
      <Deliveries of={event.deliveries} zone={zone} />
      <Redeliver id={payment.id} eventId={event.event_id} possibility={payment.acts.redeliver} />
    </li>
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
