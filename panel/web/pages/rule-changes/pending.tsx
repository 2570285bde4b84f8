// The changes of rules that wait for two people, in the inbox.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { readList } from '../../api/queries.js';
import { useTexts } from '../../preferences.js';
import { Section } from '../../ui/facts.js';
import { Loaded } from '../../ui/states.js';
import { Age } from '../../ui/time.js';
import { useOperationName } from '../../ui/operation-name.js';
import { ruleChangeTexts } from '../../texts/rule-changes.js';
import { Justification, MissingApprovals } from './proposed-by.js';

/** Renders nothing while none waits. */
export function PendingRuleChanges() {
  const operationName = useOperationName();
  const texts = useTexts(ruleChangeTexts);
  const query = useQuery(readList('readRuleChanges', {}));
  return (
    <Loaded query={query} lines={2}>
      {({ items, more }) =>
        items.length > 0 && (
          <Section title={texts.listTitle}>
            <ul className="decisions">
              {items.map((change) => (
                <li key={change.id}>
                  <p className="case-line">
                    <Link to="/rule-changes/$id" params={{ id: change.id }} className="row-link" data-row>
                      {texts.title(operationName(change.operation))}
                    </Link>
                    <span className="chip chip-wait">
                      {texts.given(change.approvals.given.length, change.approvals.needed)}
                    </span>
                    <span className="quiet">
                      {texts.askedBy(change.requested_by)} · <Age since={change.created_at} />
                    </span>
                  </p>
                  <Justification of={change} />
                  <MissingApprovals of={change} />
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
