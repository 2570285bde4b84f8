// The rules in force for an operation, how they came to be, and its block and review lists.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Answered } from '../../../../contract/panel/routes.js';
import { READERS } from '../../api/endpoints.js';
import { read } from '../../api/queries.js';
import { holds, useSession } from '../../api/session.js';
import { useTexts } from '../../preferences.js';
import { Section, TableBox, TableHead } from '../../ui/facts.js';
import { OperationChoice } from '../../ui/operation-choice.js';
import { Loaded } from '../../ui/states.js';
import { Instant } from '../../ui/time.js';
import { useTitle } from '../../ui/title.js';
import { rulesTexts } from '../../texts/rules.js';
import { Justification } from '../rule-changes/proposed-by.js';
import { Lists } from './lists.js';
import { OperationActs } from './operation-acts.js';
import { WholeOperation } from './operations.js';
import { RuleEditor } from './rule-editor.js';
import { Thresholds } from './thresholds.js';

type Rules = Answered<'readRules'>;

export function RulesPage() {
  const texts = useTexts(rulesTexts);
  const session = useSession();
  useTitle(texts.title);
  return (
    <>
      <header className="page-head">
        <h1>{texts.title}</h1>
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
          {rules.may_propose.possible && <RuleEditor key={rules.in_force.version} of={rules} />}
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
  const texts = useTexts(rulesTexts);
  return (
    <Section
      title={texts.inForce(current.version)}
      aside={
        <span className="quiet">
          {current.created_at === null ? texts.always : <Instant at={current.created_at} zone={zone} />}{' '}
          {current.created_by !== null && <>· {current.created_by}</>}
        </span>
      }
    >
      <Thresholds of={current.thresholds} />
    </Section>
  );
}

function Changes({ of: { changes }, zone }: RulesProps) {
  const texts = useTexts(rulesTexts);
  return (
    <Section title={texts.changes}>
      {changes.length === 0 ? (
        <p className="quiet">{texts.noChanges}</p>
      ) : (
        <ul className="decisions">
          {changes.map((change) => (
            <li key={change.id}>
              <p>
                <Link to="/rule-changes/$id" params={{ id: change.id }}>
                  {texts.openChange}
                </Link>{' '}
                <span className="chip chip-plain">{texts.changeStatuses[change.status] ?? change.status}</span>{' '}
                <span className="quiet">
                  {texts.base(change.base_version)}
                  {change.applied_version !== null && <> · {texts.applied(change.applied_version)}</>}
                </span>
              </p>
              <p>
                <strong>{change.requested_by}</strong> · <Instant at={change.created_at} zone={zone} />
                <Justification of={change} />
              </p>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function History({ of: { history }, zone }: RulesProps) {
  const texts = useTexts(rulesTexts);
  if (history.length === 0) return null;
  return (
    <Section title={texts.history}>
      <TableBox label={texts.history}>
        <TableHead of={texts.historyColumns} />
        <tbody>
          {history.map(({ version, created_at: at, created_by: by }) => (
            <tr key={version}>
              <td>
                {texts.version} {version}
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
