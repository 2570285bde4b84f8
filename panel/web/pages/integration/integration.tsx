// The page of an operator's own people: what is left before going live, what they asked for, and their calls.
import { useQuery } from '@tanstack/react-query';
import type { Answered } from '../../../../contract/panel/routes.js';
import { read } from '../../api/queries.js';
import { useTexts } from '../../preferences.js';
import { TableBox, TableHead } from '../../ui/facts.js';
import { Loaded } from '../../ui/states.js';
import { Theirs } from '../../ui/theirs.js';
import { Instant } from '../../ui/time.js';
import { approvalTexts } from '../../texts/approvals.js';
import { integrationTexts } from '../../texts/integration.js';
import { type Operation, Operations } from '../configuration/operations.js';
import { CallLog } from './call-log.js';

type GoLive = Answered<'readGoLive'>;

export function IntegrationPage() {
  const texts = useTexts(integrationTexts);
  return (
    <Operations title={texts.title} note={texts.note}>
      {(operation) => (
        <>
          <Progress operation={operation} />
          <h3>{texts.calls}</h3>
          <p className="quiet">{texts.callsNote}</p>
          <CallLog operation={operation} />
        </>
      )}
    </Operations>
  );
}

function Progress({ operation: { id, name, time_zone: zone } }: { readonly operation: Operation }) {
  const texts = useTexts(integrationTexts);
  const query = useQuery(read('readGoLive', { params: { operation: id } }));
  return (
    <Loaded query={query}>
      {({ steps, requests }) => (
        <>
          <h3>{texts.goLive}</h3>
          <p className="quiet">{texts.goLiveNote}</p>
          <TableBox label={`${texts.goLive}: ${name}`}>
            <TableHead of={Object.values(texts.columns)} />
            <tbody>
              {steps.map(({ step, is_done: isDone, at, evidence }) => (
                <tr key={step}>
                  <td className="whole">{texts.steps[step]}</td>
                  <td>
                    <span className={isDone ? 'chip chip-good' : 'chip chip-wait'}>
                      {isDone ? texts.done : texts.open}
                    </span>
                  </td>
                  <td>{at === null ? '—' : <Instant at={at} zone={zone} />}</td>
                  <td className="subject">{evidence === null ? '—' : <Evidence of={step} text={evidence} />}</td>
                </tr>
              ))}
            </tbody>
          </TableBox>
          <h3>{texts.requests}</h3>
          <Requests of={requests} label={`${texts.requests}: ${name}`} zone={zone} />
        </>
      )}
    </Loaded>
  );
}

/** What the operator has set; all else is an id or a digest of the gateway's. */
const SET_BY_OPERATORS: readonly string[] = ['networks', 'webhook_address'];

function Evidence({ of, text }: { readonly of: string; readonly text: string }) {
  return SET_BY_OPERATORS.includes(of) ? <Theirs text={text} /> : <code>{text}</code>;
}

interface RequestsProps {
  readonly of: GoLive['requests'];
  readonly label: string;
  readonly zone: string;
}

function Requests({ of, label, zone }: RequestsProps) {
  const texts = useTexts(integrationTexts);
  const { kinds } = useTexts(approvalTexts);
  if (of.length === 0) return <p className="quiet">{texts.noRequests}</p>;
  return (
    <TableBox label={label}>
      <TableHead of={Object.values(texts.requestColumns)} />
      <tbody>
        {of.map(({ id, kind, status, is_yours: isYours, requested_at: at }) => (
          <tr key={id}>
            <td className="whole">{(kinds as Readonly<Record<string, string>>)[kind] ?? kind}</td>
            <td>{texts.statuses[status] ?? status}</td>
            <td>{isYours ? texts.yours : texts.others}</td>
            <td>
              <Instant at={at} zone={zone} />
            </td>
          </tr>
        ))}
      </tbody>
    </TableBox>
  );
}
