// A payment's page: what happened, what moved, what it waits for, and what may safely be done.
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { READERS } from '../../api/endpoints.js';
import { read } from '../../api/queries.js';
import { holds, useSession } from '../../api/session.js';
import { useTexts } from '../../preferences.js';
import { AlertRecord } from '../../ui/alert-record.js';
import { BankCode } from '../../ui/bank-code.js';
import { Copyable } from '../../ui/copyable.js';
import { Facts, Section } from '../../ui/facts.js';
import { PlayerLink } from '../../ui/player-link.js';
import { Money, useMoney } from '../../ui/money.js';
import { Loaded } from '../../ui/states.js';
import { Status } from '../../ui/status.js';
import { Age, Instant } from '../../ui/time.js';
import { useTitle } from '../../ui/title.js';
import { TwoColumns } from '../../ui/two-columns.js';
import { useOperationName } from '../../ui/operation-name.js';
import { alertTexts } from '../../texts/alerts.js';
import { caseTexts } from '../../texts/case.js';
import { commonTexts } from '../../texts/common.js';
import { paymentTexts } from '../../texts/payment.js';
import { ReasonList } from '../case/reasons.js';
import { RuleDecisions } from '../case/rule-decisions.js';
import { Acts } from './acts.js';
import { Ledger } from './ledger.js';
import { PeopleDecided } from './people.js';
import { Replay } from './replay.js';
import { Timeline } from './timeline.js';
import type { PaymentProps } from './types.js';
import { Wait } from './wait.js';

const route = getRouteApi('/gate/payments/$id');

export function PaymentPage() {
  const { id } = route.useParams();
  const query = useQuery({ ...read('readPayment', { params: { id } }), gcTime: 0 });
  return (
    <Loaded query={query} lines={14}>
      {(payment) => <PaymentScreen key={id} payment={payment} />}
    </Loaded>
  );
}

function PaymentScreen({ payment }: PaymentProps) {
  const { decisions, amount, operation } = payment;
  const zone = operation.time_zone;
  return (
    <>
      <Head payment={payment} />
      <TwoColumns first={<Grounds payment={payment} />} side={<Acts payment={payment} />}>
        <PaymentFacts payment={payment} />
        <Timeline payment={payment} />
        <Ledger payment={payment} />
        <RuleDecisions decisions={decisions} currency={amount.currency} zone={zone} />
        <Replay payment={payment} />
        <PeopleDecided payment={payment} />
        <AlertsOf payment={payment} />
      </TwoColumns>
    </>
  );
}

/** What it waits for, and why: nobody acts before they have read it. */
function Grounds({ payment }: PaymentProps) {
  const texts = useTexts(caseTexts);
  const { id, status, reasons, amount, operation } = payment;
  return (
    <>
      <Wait id={id} zone={operation.time_zone} isClosed={payment.is_closed} />
      <InSuspense payment={payment} />
      {reasons.length > 0 && (
        <Section title={status === 'under_review' ? texts.why : texts.whyWaited}>
          <ReasonList reasons={reasons} currency={amount.currency} zone={operation.time_zone} />
        </Section>
      )}
    </>
  );
}

/** A payment that has ended may still hold money that somebody must send somewhere. */
function InSuspense({ payment: { in_suspense: left, operation } }: PaymentProps) {
  const texts = useTexts(paymentTexts);
  if (left === null) return null;
  return (
    <p className="notice notice-wait">
      <strong>
        <Money of={left} /> {texts.inSuspense}
      </strong>{' '}
      {texts.suspenseExits}{' '}
      <Link to="/money" search={{ operation: operation.id }}>
        {texts.toMoney}
      </Link>
    </p>
  );
}

function Head({ payment: { id, kind, amount, operation, status } }: PaymentProps) {
  const texts = useTexts(paymentTexts);
  const session = useSession();
  const { title: titleOf } = useTexts(caseTexts);
  const operationName = useOperationName();
  const { kinds } = useTexts(commonTexts);
  const money = useMoney();
  const title = titleOf(kinds[kind], money(amount));
  useTitle(title);
  return (
    <header className="page-head case-head">
      <p className="quiet">{operationName(operation)}</p>
      <h1>{title}</h1>
      <div className="case-line">
        <Status of={status} />
        <span className="ids">
          <Copyable text={id} />
        </span>
        {holds(session, READERS.people) && (
          <Link to="/cases/$id" params={{ id }} className="button">
            {texts.toCase}
          </Link>
        )}
      </div>
    </header>
  );
}

function PaymentFacts({ payment }: PaymentProps) {
  const texts = useTexts(paymentTexts);
  const zone = payment.operation.time_zone;
  const at = (instant: string | null) => instant !== null && <Instant at={instant} zone={zone} />;
  const { paid_amount: paid, fee, end_to_end_id: endToEndId, failure_code: failure, kind } = payment;
  return (
    <Section title={texts.facts}>
      <Facts
        of={[
          [texts.externalId, <Copyable key="id" text={payment.external_id} />],
          [
            texts.playerRef,
            <PlayerLink key="player" operationId={payment.operation.id} playerRef={payment.player_ref} />,
          ],
          [texts.provider, payment.provider],
          payment.contract === null ? null : [texts.contract, payment.contract],
          [texts.providerReference, <Copyable key="reference" text={payment.provider_reference} />],
          payment.traces.length === 0 ? null : [texts.trace, <Traces key="traces" of={payment.traces} />],
          endToEndId === null ? null : [texts.endToEndId, <Copyable key="e2e" text={endToEndId} />],
          paid === null ? null : [texts.paid, <Money key="paid" of={paid} />],
          fee === null ? null : [texts.fee, <Money key="fee" of={fee} />],
          payment.paid_at === null ? null : [texts.paidAt, at(payment.paid_at)],
          payment.expires_at === null ? null : [texts.expires, at(payment.expires_at)],
          kind === 'deposit' ? null : [texts.sent, at(payment.send_claimed_at) || texts.notSent],
          failure === null ? null : [texts.failure, <BankCode key="failure" code={failure} />],
          [texts.created, at(payment.created_at)],
          [texts.updated, at(payment.updated_at)],
        ]}
      />
    </Section>
  );
}

/** They contain every call to the provider, with its outcome. */
function Traces({ of }: { readonly of: PaymentProps['payment']['traces'] }) {
  return (
    <ul className="plain">
      {of.map(({ id, url }) => (
        <li key={id}>
          {url === null ? (
            <Copyable text={id} />
          ) : (
            <a href={url} target="_blank" rel="noreferrer">
              <code>{id}</code>
            </a>
          )}
        </li>
      ))}
    </ul>
  );
}

function AlertsOf({ payment: { alerts } }: PaymentProps) {
  const texts = useTexts(paymentTexts);
  const { names, open, resolved } = useTexts(alertTexts);
  if (alerts.length === 0) return null;
  return (
    <Section title={texts.alerts}>
      <ul className="decisions">
        {alerts.map(({ id, kind, detail, created_at: at, resolved_at: until }) => (
          <li key={id}>
            <strong>{names[kind] ?? kind}</strong>{' '}
            <span className={until === null ? 'chip chip-bad' : 'chip chip-good'}>
              {until === null ? open : resolved}
            </span>{' '}
            · <Age since={at} />
            <AlertRecord alert={{ kind, detail }} />
          </li>
        ))}
      </ul>
    </Section>
  );
}
