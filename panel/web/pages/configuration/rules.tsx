// The rules in force for an operation, how they came to be, and its block and review lists.
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { Answered } from '../../../../contract/panel/routes.js';
import { READERS } from '../../api/endpoints.js';
import { read } from '../../api/queries.js';
import { holds, useSession } from '../../api/session.js';
import { useWords } from '../../preferences.js';
import { Section, TableBox, TableHead } from '../../ui/facts.js';
import { Empty, Loaded } from '../../ui/states.js';
import { Instant } from '../../ui/time.js';
import { useTitle } from '../../ui/title.js';
import { recordWords } from '../../words/records.js';
import { Lists } from './lists.js';
import { OperationActs } from './operation-acts.js';
import { RuleSettings } from './rule-settings.js';

type Rules = Answered<'readRules'>;

const route = getRouteApi('/gate/rules');

export function RulesPage() {
  const { rules: words } = useWords(recordWords);
  const { operation } = route.useSearch();
  const navigate = route.useNavigate();
  const session = useSession();
  useTitle(words.title);
  const operations = useQuery(read('readOperations', {}));
  return (
    <>
      <header className="page-head">
        <h1>{words.title}</h1>
      </header>
      <Loaded query={operations}>
        {({ items }) => {
          const chosen = items.find(({ id }) => id === operation) ?? items[0];
          if (chosen === undefined) return <Empty title={words.noOperation} />;
          return (
            <>
              <form className="filters" onSubmit={(event) => event.preventDefault()}>
                <label>
                  {words.choose}
                  <select
                    value={chosen.id}
                    onChange={({ target }) => void navigate({ search: { operation: target.value }, replace: true })}
                  >
                    {items.map(({ id, name }) => (
                      <option key={id} value={id}>
                        {name}
                      </option>
                    ))}
                  </select>
                </label>
              </form>
              {/* What stops at once what the rules let go. */}
              <OperationActs
                key={`acts ${chosen.id}`}
                operation={chosen}
                only={['stop_automatic', 'resume_automatic']}
              />
              <RulesOf key={chosen.id} operation={chosen.id} />
              {holds(session, READERS.lists) && <Lists key={`lists ${chosen.id}`} operation={chosen.id} />}
            </>
          );
        }}
      </Loaded>
    </>
  );
}

function RulesOf({ operation }: { readonly operation: string }) {
  const query = useQuery(read('readRules', { params: { operation } }));
  return (
    <Loaded query={query}>
      {(rules) => (
        <>
          <InForce of={rules} />
          <Changes of={rules} />
          <History of={rules} />
        </>
      )}
    </Loaded>
  );
}

interface RulesProps {
  readonly of: Rules;
}

function InForce({ of: { in_force: current } }: RulesProps) {
  const { rules: words } = useWords(recordWords);
  return (
    <Section
      title={words.inForce(current.version)}
      aside={
        <span className="quiet">
          {current.created_at === null ? words.always : <Instant at={current.created_at} />}{' '}
          {current.created_by !== null && <>· {current.created_by}</>}
        </span>
      }
    >
      <RuleSettings rules={current.rules} />
    </Section>
  );
}

function Changes({ of: { changes } }: RulesProps) {
  const { rules: words } = useWords(recordWords);
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
                <strong>{change.requested_by}</strong> · <Instant at={change.created_at} />
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

function History({ of: { history } }: RulesProps) {
  const { rules: words } = useWords(recordWords);
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
                <Instant at={at} />
              </td>
              <td>{by}</td>
            </tr>
          ))}
        </tbody>
      </TableBox>
    </Section>
  );
}
