// Lost payouts that one person has asked to write off, in the inbox. A second person decides on the payout's own page.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { readList } from '../../api/queries.js';
import { useTexts } from '../../preferences.js';
import { Section } from '../../ui/facts.js';
import { useMoney } from '../../ui/money.js';
import { PlayerLink } from '../../ui/player-link.js';
import { Loaded } from '../../ui/states.js';
import { useZones } from '../../ui/zones.js';
import { Words } from '../../ui/theirs.js';
import { Age, Instant } from '../../ui/time.js';
import { useOperationName } from '../../ui/operation-name.js';
import { approvalTexts } from '../../texts/approvals.js';
import { Traceless } from '../payment/traceless.js';

/** Renders nothing while none waits. */
export function PendingWriteOffs() {
  const operationName = useOperationName();
  const approvals = useTexts(approvalTexts);
  const { writeOffs: texts } = approvals;
  const money = useMoney();
  const zoneOf = useZones();
  const query = useQuery(readList('readWriteOffs', {}));
  return (
    <Loaded query={query} lines={2}>
      {({ items, more }) =>
        items.length > 0 && (
          <Section title={texts.title}>
            <ul className="decisions">
              {items.map((lost) => (
                <li key={lost.id}>
                  <p className="case-line">
                    <Link to="/payments/$id" params={{ id: lost.id }} className="row-link" data-row>
                      {texts.payout(money(lost.amount))}
                    </Link>
                    {lost.is_own && <span className="chip chip-plain">{approvals.own}</span>}
                    <span className="quiet">
                      {operationName(lost.operation)} · {approvals.by(lost.requested_by)} ·{' '}
                      <Age since={lost.requested_at} /> ·{' '}
                      <Instant at={lost.requested_at} zone={zoneOf(lost.operation)} />
                    </span>
                  </p>
                  <p>
                    <PlayerLink operationId={lost.operation.id} playerRef={lost.player_ref} /> ·{' '}
                    <Traceless sentAt={lost.sent_at} of={lost.traceless} zone={zoneOf(lost.operation)} />
                  </p>
                  <Words text={`“${lost.reason}”`} />
                  <p>{texts.evidence}:</p>
                  <Words text={`“${lost.evidence}”`} />
                  <p className="quiet">
                    {texts.lapses} <Instant at={lost.lapses_at} zone={zoneOf(lost.operation)} />
                  </p>
                </li>
              ))}
            </ul>
            {more && <p className="quiet">{texts.more}</p>}
          </Section>
        )
      }
    </Loaded>
  );
}
