// The changes of rules that wait for two people, in the inbox.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { readList } from '../../api/queries.js';
import { useTexts } from '../../preferences.js';
import { Section } from '../../ui/facts.js';
import { Loaded } from '../../ui/states.js';
import { Theirs } from '../../ui/theirs.js';
import { Age } from '../../ui/time.js';
import { useOperationName } from '../../ui/operation-name.js';
import { ruleChangeTexts } from '../../texts/rule-changes.js';

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
              {items.map(({ id, operation, requested_by: by, created_at: at, justification, approvals }) => (
                <li key={id}>
                  <p className="case-line">
                    <Link to="/rule-changes/$id" params={{ id }} className="row-link" data-row>
                      {texts.title(operationName(operation))}
                    </Link>
                    <span className="chip chip-wait">{texts.given(approvals.given.length, approvals.needed)}</span>
                    <span className="quiet">
                      {texts.askedBy(by)} · <Age since={at} />
                    </span>
                  </p>
                  {justification !== '' && <Theirs text={justification} />}
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
