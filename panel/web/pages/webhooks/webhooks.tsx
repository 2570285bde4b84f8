// Where each operation's events go, which endpoints do not take them, and what was delivered.
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { webhookFilters } from '../../app/search.js';
import { useWords } from '../../preferences.js';
import { Facts } from '../../ui/facts.js';
import { Age, Instant } from '../../ui/time.js';
import { useWhyNot } from '../../ui/why-not.js';
import { WhyButton } from '../../ui/why-button.js';
import { webhookWords } from '../../words/webhooks.js';
import { type Operation, Operations } from '../configuration/operations.js';
import { DeliveryLog } from './delivery-log.js';
import { RedeliveryDialog } from './redelivery-dialog.js';

const route = getRouteApi('/gate/webhooks');

interface EndpointProps {
  readonly of: Operation;
}

export function WebhooksPage() {
  const words = useWords(webhookWords);
  return (
    <Operations
      title={words.title}
      note={words.note}
      mark={({ is_failing: fails }) => (fails ? words.failingMark : '')}
    >
      {(operation) => (
        <>
          <Endpoint of={operation} />
          <Deliveries of={operation} />
        </>
      )}
    </Operations>
  );
}

function Endpoint({ of: { webhook_url: url, failing, time_zone: zone } }: EndpointProps) {
  const words = useWords(webhookWords);
  return (
    <>
      <p>
        {failing === null ? (
          <span className="chip chip-good">{words.healthy}</span>
        ) : (
          <span className="chip chip-bad">{words.failing(failing.events)}</span>
        )}
      </p>
      <Facts
        of={[
          [words.address, url === null ? words.noAddress : <code key="url">{url}</code>],
          failing?.since == null
            ? null
            : [
                words.since,
                <span key="since">
                  <Instant at={failing.since} zone={zone} /> · <Age since={failing.since} />
                </span>,
              ],
          failing === null
            ? null
            : [words.last, <code key="last">{failing.response_status ?? failing.error ?? '—'}</code>],
        ]}
      />
    </>
  );
}

function Deliveries({ of: operation }: EndpointProps) {
  const words = useWords(webhookWords);
  const whyNot = useWhyNot();
  const { log } = route.useSearch();
  const navigate = route.useNavigate();
  const isLogShown = log === 'open';
  const showLog = () =>
    void navigate({
      search: webhookFilters(isLogShown ? { operation: operation.id } : { operation: operation.id, log: 'open' }),
      replace: true,
    });
  const [isRedelivering, setRedelivering] = useState(false);
  return (
    <>
      <div className="buttons">
        <button type="button" className="button" aria-expanded={isLogShown} onClick={showLog}>
          {isLogShown ? words.hideLog : words.showLog}
        </button>
        <WhyButton why={whyNot('event.redeliver')} onAct={() => setRedelivering(true)}>
          {words.redeliver}
        </WhyButton>
      </div>
      {isLogShown && <DeliveryLog operation={operation} />}
      {isRedelivering && <RedeliveryDialog operation={operation} onClose={() => setRedelivering(false)} />}
    </>
  );
}
