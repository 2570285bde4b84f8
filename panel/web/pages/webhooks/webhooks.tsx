// Where each operation's events go, which endpoints do not take them, and what was delivered.
import { useState } from 'react';
import { PERMISSIONS } from '../../../../domain/staff.js';
import { holds, useSession } from '../../api/session.js';
import { useWords } from '../../preferences.js';
import { Facts } from '../../ui/facts.js';
import { Age, Instant } from '../../ui/time.js';
import { webhookWords } from '../../words/webhooks.js';
import { type Operation, Operations } from '../configuration/operations.js';
import { DeliveryLog } from './delivery-log.js';
import { RedeliveryDialog } from './redelivery-dialog.js';

interface EndpointProps {
  readonly of: Operation;
}

export function WebhooksPage() {
  const words = useWords(webhookWords);
  return (
    <Operations title={words.title} note={words.note}>
      {(operation) => (
        <>
          <Endpoint of={operation} />
          <Deliveries of={operation} />
        </>
      )}
    </Operations>
  );
}

function Endpoint({ of: { webhook_url: url, failing } }: EndpointProps) {
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
                  <Instant at={failing.since} /> · <Age since={failing.since} />
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
  const session = useSession();
  const [isLogShown, showLog] = useState(false);
  const [isRedelivering, setRedelivering] = useState(false);
  return (
    <>
      <div className="buttons">
        <button type="button" className="button" aria-expanded={isLogShown} onClick={() => showLog(!isLogShown)}>
          {isLogShown ? words.hideLog : words.showLog}
        </button>
        {holds(session, PERMISSIONS['event.redeliver']) && (
          <button type="button" className="button" onClick={() => setRedelivering(true)}>
            {words.redeliver}
          </button>
        )}
      </div>
      {isLogShown && <DeliveryLog operation={operation} />}
      {isRedelivering && <RedeliveryDialog operation={operation} onClose={() => setRedelivering(false)} />}
    </>
  );
}
