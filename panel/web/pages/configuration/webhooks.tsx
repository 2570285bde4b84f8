// Where each operation's events go, and which endpoints do not take them.
import { useWords } from '../../preferences.js';
import { Facts } from '../../ui/facts.js';
import { Age, Instant } from '../../ui/time.js';
import { recordWords } from '../../words/records.js';
import { type Operation, Operations } from './operations.js';

export function WebhooksPage() {
  const { webhooks: words } = useWords(recordWords);
  return (
    <Operations title={words.title} note={words.redeliver}>
      {(operation) => <Endpoint of={operation} />}
    </Operations>
  );
}

function Endpoint({ of: { webhook_url: url, failing } }: { readonly of: Operation }) {
  const { webhooks: words } = useWords(recordWords);
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
