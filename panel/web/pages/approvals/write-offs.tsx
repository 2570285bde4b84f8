// Lost payouts that one person has asked to write off, in the inbox. A second person decides on the payout's own page.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { readList } from '../../api/queries.js';
import { useWords } from '../../preferences.js';
import { Section } from '../../ui/facts.js';
import { useMoney } from '../../ui/money.js';
import { Loaded } from '../../ui/states.js';
import { useZones } from '../../ui/zones.js';
import { Age, Instant } from '../../ui/time.js';
import { approvalWords } from '../../words/approvals.js';

/** Renders nothing while none waits. */
export function PendingWriteOffs() {
  const approvals = useWords(approvalWords);
  const { writeOffs: words } = approvals;
  const money = useMoney();
  const zoneOf = useZones();
  const query = useQuery(readList('readWriteOffs', {}));
  return (
    <Loaded query={query} lines={2}>
      {({ items, more }) =>
        items.length > 0 && (
          <Section title={words.title}>
            <ul className="decisions">
              {items.map((lost) => (
                <li key={lost.id}>
                  <p className="case-line">
                    <Link to="/payments/$id" params={{ id: lost.id }} className="row-link" data-row>
                      {words.payout(money(lost.amount))}
                    </Link>
                    {lost.is_own && <span className="chip chip-plain">{approvals.own}</span>}
                    <span className="quiet">
                      {lost.operation.name} · {approvals.by(lost.requested_by)} · <Age since={lost.requested_at} />
                    </span>
                  </p>
                  <p>
                    <q>{lost.reason}</q> · {words.evidence}: <q>{lost.evidence}</q>
                  </p>
                  <p className="quiet">
                    {words.lapses} <Instant at={lost.lapses_at} zone={zoneOf(lost.operation)} />
                  </p>
                </li>
              ))}
            </ul>
            {more && <p className="quiet">{words.more}</p>}
          </Section>
        )
      }
    </Loaded>
  );
}
