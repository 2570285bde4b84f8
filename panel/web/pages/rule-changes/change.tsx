// One proposed change of rules: what differs, what the last 30 days would have been under it, and the decision.
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { read } from '../../api/queries.js';
import { useTexts } from '../../preferences.js';
import { Section, TableBox, TableHead } from '../../ui/facts.js';
import { Loaded } from '../../ui/states.js';
import { Instant } from '../../ui/time.js';
import { useTitle } from '../../ui/title.js';
import { TwoColumns } from '../../ui/two-columns.js';
import { useOperationName } from '../../ui/operation-name.js';
import { rulesTexts } from '../../texts/rules.js';
import { ruleChangeTexts } from '../../texts/rule-changes.js';
import { SettingValue } from '../configuration/rule-settings.js';
import { ChangeActs } from './acts.js';
import { Justification } from './proposed-by.js';
import { ProofSection } from './report.js';
import type { ChangeProps, RuleChange } from './types.js';

/** A first approval and a computed proof are no events, so the stream does not report them. */
const READ_EVERY_MS = 15_000;

const route = getRouteApi('/gate/rule-changes/$id');

export function RuleChangePage() {
  const { id } = route.useParams();
  const query = useQuery({ ...read('readRuleChange', { params: { id } }), refetchInterval: READ_EVERY_MS });
  return <Loaded query={query}>{(change) => <Change change={change} />}</Loaded>;
}

function Change({ change }: ChangeProps) {
  const operationName = useOperationName();
  const texts = useTexts(ruleChangeTexts);
  const title = texts.title(operationName(change.operation));
  useTitle(title);
  const isOvertaken = change.status === 'pending_approval' && change.base_version !== change.version_in_force;
  return (
    <>
      <header className="page-head">
        <h1>{title}</h1>
        <p className="case-line">
          <span className="chip chip-plain">{texts.statuses[change.status]}</span>
          <span className="quiet">
            {texts.askedBy(change.requested_by)} · <Instant at={change.created_at} zone={change.operation.time_zone} />
          </span>
        </p>
      </header>
      <TwoColumns
        first={
          <>
            {isOvertaken && <p className="notice notice-wait">{texts.overtaken(change.version_in_force)}</p>}
            <Differences change={change} />
            <ProofSection change={change} />
          </>
        }
        side={<ChangeActs change={change} />}
      />
    </>
  );
}

function Differences({ change }: ChangeProps) {
  const texts = useTexts(ruleChangeTexts);
  const { base_version: base, applied_version: applied } = change;
  return (
    <Section
      title={texts.differences}
      aside={
        <span className="quiet">
          {texts.base(base)}
          {applied !== null && <> · {texts.applied(applied)}</>}
        </span>
      }
    >
      <Justification of={change} />
      {change.differences.length === 0 ? (
        <p className="quiet">{texts.noDifference}</p>
      ) : (
        <TableBox label={texts.differences} isStacked>
          <TableHead of={[texts.field, texts.from, texts.to]} />
          <tbody>
            {change.differences.map((difference) => (
              <Difference key={difference.path} of={difference} />
            ))}
          </tbody>
        </TableBox>
      )}
    </Section>
  );
}

function Difference({ of: { path, from, to } }: { readonly of: RuleChange['differences'][number] }) {
  const texts = useTexts(rulesTexts);
  const columns = useTexts(ruleChangeTexts);
  const name = path.split('.').at(-1) ?? path;
  const currency = /^currencies\.([A-Z]{3})\./.exec(path)?.[1] ?? null;
  return (
    <tr>
      <td>
        {texts.settings[name] ?? name} <code className="quiet">{path}</code>
      </td>
      <td data-column={columns.from}>
        <SettingValue name={name} value={from} currency={currency} />
      </td>
      <td data-column={columns.to}>
        <strong>
          <SettingValue name={name} value={to} currency={currency} />
        </strong>
      </td>
    </tr>
  );
}
