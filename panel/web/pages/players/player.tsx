// One player: who it is, masked, what they moved, what people decided, on which lists, and who is linked to them.
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { Answered } from '../../../../contract/panel/routes.js';
import { read } from '../../api/queries.js';
import { useTexts } from '../../preferences.js';
import { AlertRecord } from '../../ui/alert-record.js';
import { Section } from '../../ui/facts.js';
import { Money } from '../../ui/money.js';
import { Loaded } from '../../ui/states.js';
import { Age, Instant } from '../../ui/time.js';
import { useTitle } from '../../ui/title.js';
import { useOperationName } from '../../ui/operation-name.js';
import { alertTexts } from '../../texts/alerts.js';
import { caseTexts } from '../../texts/case.js';
import { playerTexts } from '../../texts/player.js';
import { EarlierDecisions } from '../case/history.js';
import { LinkedPlayers } from '../case/linked.js';
import { MaskedFields } from '../case/masked.js';
import { Told } from '../case/told.js';
import { PaymentTable } from '../payments/table.js';

type Player = Answered<'readPlayer'>;

interface PlayerProps {
  readonly player: Player;
}

const route = getRouteApi('/gate/players/$operation/$ref');

export function PlayerPage() {
  const params = route.useParams();
  const query = useQuery({ ...read('readPlayer', { params }), gcTime: 0 });
  return (
    <Loaded query={query} lines={14}>
      {(player) => <PlayerScreen key={player.ref} player={player} />}
    </Loaded>
  );
}

function PlayerScreen({ player }: PlayerProps) {
  const operationName = useOperationName();
  const texts = useTexts(playerTexts);
  const { operation, ref, linked, decisions } = player;
  useTitle(texts.title(ref));
  return (
    <>
      <header className="page-head">
        <p className="quiet">{operationName(operation)}</p>
        <h1>{texts.title(ref)}</h1>
        <Known player={player} />
      </header>
      <div className="grounds">
        <div className="sections">
          <Identity player={player} />
          <LinkedPlayers linked={linked} operationId={operation.id} />
          <EarlierDecisions earlier={decisions} title={texts.decisions} />
        </div>
        <div className="sections">
          <Sums player={player} />
          <Lists player={player} />
          <Alerts player={player} />
        </div>
      </div>
      <Payments player={player} />
    </>
  );
}

function Known({ player: { known_since: since, erased_at: erasedAt, operation } }: PlayerProps) {
  const texts = useTexts(playerTexts);
  const { knownHereSince } = useTexts(caseTexts);
  return (
    <>
      {since !== null && (
        <p className="quiet">
          {knownHereSince} <Instant at={since} zone={operation.time_zone} /> · <Age since={since} />
        </p>
      )}
      {erasedAt !== null && (
        <p className="notice notice-wait">
          {texts.erased} <Instant at={erasedAt} zone={operation.time_zone} />
        </p>
      )}
    </>
  );
}

function Identity({ player: { identity, operation } }: PlayerProps) {
  const texts = useTexts(playerTexts);
  return (
    <>
      <Section title={texts.identity}>
        {identity === null ? (
          <p className="quiet">{texts.noIdentity}</p>
        ) : (
          <MaskedFields paymentId={identity.payment_id} fields={identity.fields} />
        )}
      </Section>
      {identity !== null && <Told told={identity.told} zone={operation.time_zone} />}
    </>
  );
}

function Sums({ player: { sums, automatic } }: PlayerProps) {
  const texts = useTexts(playerTexts);
  const { deposits, withdrawals, inCount, counted } = useTexts(caseTexts);
  return (
    <Section title={texts.sums}>
      {sums.length === 0 && <p className="quiet">{texts.noSums}</p>}
      <div className="sums">
        {sums.map(({ kind, settled, settled_count: count, counted: withOpen }) => (
          <div key={`${kind} ${settled.currency}`}>
            <p className="quiet">{kind === 'deposit' ? deposits : withdrawals}</p>
            <p>
              <Money of={settled} large />
            </p>
            <p className="quiet">
              {inCount(count)} · {counted}: <Money of={withOpen} />
            </p>
          </div>
        ))}
        {automatic.map(({ multiplier, remaining }) => (
          <div key={remaining.currency}>
            <p className="quiet">{texts.automatic}</p>
            <p>
              <Money of={remaining} large />
            </p>
            <p className="quiet">{texts.times(multiplier)}</p>
          </div>
        ))}
      </div>
    </Section>
  );
}

function Lists({ player: { lists, operation } }: PlayerProps) {
  const texts = useTexts(playerTexts);
  return (
    <Section title={texts.lists}>
      {lists.length === 0 ? (
        <p className="quiet">{texts.noLists}</p>
      ) : (
        <ul className="rows">
          {lists.map(({ list, kind, added_at: at }) => (
            <li key={`${list} ${kind}`}>
              <span className={list === 'block' ? 'chip chip-bad' : 'chip chip-wait'}>{texts.listNames[list]}</span>
              <span>{texts.listKinds[kind] ?? kind}</span>
              <Instant at={at} zone={operation.time_zone} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function Alerts({ player: { alerts } }: PlayerProps) {
  const texts = useTexts(playerTexts);
  const { names } = useTexts(alertTexts);
  return (
    <Section title={texts.alerts}>
      {alerts.length === 0 ? (
        <p className="quiet">{texts.noAlerts}</p>
      ) : (
        <ul className="decisions">
          {alerts.map(({ id, kind, detail, created_at: at }) => (
            <li key={id}>
              <Link to="/alerts" search={{ id }}>
                {names[kind] ?? kind}
              </Link>{' '}
              · <Age since={at} />
              <AlertRecord alert={{ kind, detail }} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function Payments({ player: { payments, operation, ref } }: PlayerProps) {
  const texts = useTexts(playerTexts);
  return (
    <Section
      title={texts.payments}
      aside={
        <Link to="/payments" search={{ operation: operation.id, player: ref }}>
          {texts.allPayments}
        </Link>
      }
    >
      {payments.length === 0 ? (
        <p className="quiet">{texts.noPayments}</p>
      ) : (
        <PaymentTable items={payments} operationId={operation.id} zone={operation.time_zone} />
      )}
    </Section>
  );
}
