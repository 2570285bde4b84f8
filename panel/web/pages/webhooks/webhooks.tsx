// Where each operation's events go, which endpoints do not take them, and what was delivered.
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { webhookFilters } from '../../app/search.js';
import { useTexts } from '../../preferences.js';
import { Facts } from '../../ui/facts.js';
import { Age, Instant } from '../../ui/time.js';
import { useWhyNot } from '../../ui/why-not.js';
import { WhyButton } from '../../ui/why-button.js';
import { webhookTexts } from '../../texts/webhooks.js';
import { type Operation, Operations } from '../configuration/operations.js';
import { DeliveryLog } from './delivery-log.js';
import { RedeliveryDialog } from './redelivery-dialog.js';

const route = getRouteApi('/gate/webhooks');

interface EndpointProps {
  readonly of: Operation;
}

export function WebhooksPage() {
  const texts = useTexts(webhookTexts);
  return (
    <Operations
      title={texts.title}
      note={texts.note}
      mark={({ is_failing: fails }) => (fails ? texts.failingMark : '')}
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
  const texts = useTexts(webhookTexts);
  return (
    <>
      <p>
        {failing === null ? (
          <span className="chip chip-good">{texts.healthy}</span>
        ) : (
          <span className="chip chip-bad">{texts.failing(failing.events)}</span>
        )}
      </p>
      <Facts
        of={[
          [texts.address, url === null ? texts.noAddress : <code key="url">{url}</code>],
          failing?.since == null
            ? null
            : [
                texts.since,
                <span key="since">
                  <Instant at={failing.since} zone={zone} /> · <Age since={failing.since} />
                </span>,
              ],
          failing === null
            ? null
            : [texts.last, <code key="last">{failing.response_status ?? failing.error ?? '—'}</code>],
        ]}
      />
    </>
  );
}

function Deliveries({ of: operation }: EndpointProps) {
  const texts = useTexts(webhookTexts);
  const whyNot = useWhyNot(operation.id);
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
          {isLogShown ? texts.hideLog : texts.showLog}
        </button>
        <WhyButton why={whyNot('event.redeliver')} onAct={() => setRedelivering(true)}>
          {texts.redeliver}
        </WhyButton>
      </div>
      {isLogShown && <DeliveryLog operation={operation} />}
      {isRedelivering && <RedeliveryDialog operation={operation} onClose={() => setRedelivering(false)} />}
    </>
  );
}
