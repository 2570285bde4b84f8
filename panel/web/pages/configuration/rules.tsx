// The rules in force for an operation, how they came to be, and its block and review lists.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Answered } from '../../../../contract/panel/routes.js';
import { READERS } from '../../api/endpoints.js';
import { read } from '../../api/queries.js';
import { holds, useSession } from '../../api/session.js';
import { useWords } from '../../preferences.js';
import { Section, TableBox, TableHead } from '../../ui/facts.js';
import { OperationChoice } from '../../ui/operation-choice.js';
import { Loaded } from '../../ui/states.js';
import { Instant } from '../../ui/time.js';
import { useTitle } from '../../ui/title.js';
import { rulesWords } from '../../words/rules.js';
import { Lists } from './lists.js';
import { OperationActs } from './operation-acts.js';
import { WholeOperation } from './operations.js';
import { RuleSettings } from './rule-settings.js';

type Rules = Answered<'readRules'>;

export function RulesPage() {
  const words = useWords(rulesWords);
  const session = useSession();
  useTitle(words.title);
  return (
    <>
      <header className="page-head">
        <h1>{words.title}</h1>
      </header>
      <OperationChoice>
        {({ id, time_zone: zone }) => (
          <div key={id} className="sections">
            <WholeOperation id={id}>
              {/* What stops at once what the rules let go. */}
              {(operation) => <OperationActs operation={operation} only={['stop_automatic', 'resume_automatic']} />}
            </WholeOperation>
            <RulesOf operation={id} zone={zone} />
            {holds(session, READERS.lists) && <Lists operation={id} zone={zone} />}
          </div>
        )}
      </OperationChoice>
    </>
  );
}

function RulesOf({ operation, zone }: { readonly operation: string; readonly zone: string }) {
  const query = useQuery(read('readRules', { params: { operation } }));
  return (
    <Loaded query={query}>
      {(rules) => (
        <>
          <InForce of={rules} zone={zone} />
          <Changes of={rules} zone={zone} />
          <History of={rules} zone={zone} />
        </>
      )}
    </Loaded>
  );
}

interface RulesProps {
  readonly of: Rules;
  readonly zone: string;
}

function InForce({ of: { in_force: current }, zone }: RulesProps) {
  const words = useWords(rulesWords);
  return (
    <Section
      title={words.inForce(current.version)}
      aside={
        <span className="quiet">
          {current.created_at === null ? words.always : <Instant at={current.created_at} zone={zone} />}{' '}
          {current.created_by !== null && <>· {current.created_by}</>}
        </span>
      }
    >
      <RuleSettings rules={current.rules} />
    </Section>
  );
}

function Changes({ of: { changes }, zone }: RulesProps) {
  const words = useWords(rulesWords);
  return (
    <Section title={words.changes}>
      {changes.length === 0 ? (
        <p className="quiet">{words.noChanges}</p>
      ) : (
        <ul className="decisions">
          {changes.map((change) => (
            <li key={change.id}>
              <p>
                <Link to="/rule-changes/$id" params={{ id: change.id }}>
                  {words.openChange}
                </Link>{' '}
                <span className="chip chip-plain">{words.changeStatuses[change.status] ?? change.status}</span>{' '}
                <span className="quiet">
                  {words.base(change.base_version)}
                  {change.applied_version !== null && <> · {words.applied(change.applied_version)}</>}
                </span>
              </p>
              <p>
                <strong>{change.requested_by}</strong> · <Instant at={change.created_at} zone={zone} />
                <br />
                <q>{change.justification}</q>
              </p>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function History({ of: { history }, zone }: RulesProps) {
  const words = useWords(rulesWords);
  if (history.length === 0) return null;
  return (
    <Section title={words.history}>
      <TableBox label={words.history}>
        <TableHead of={words.historyColumns} />
        <tbody>
          {history.map(({ version, created_at: at, created_by: by }) => (
            <tr key={version}>
              <td>
                {words.version} {version}
              </td>
              <td>
                <Instant at={at} zone={zone} />
              </td>
              <td>{by}</td>
            </tr>
          ))}
        </tbody>
      </TableBox>
    </Section>
  );
}
