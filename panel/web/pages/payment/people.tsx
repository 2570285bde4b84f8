// What people did about a payment: who, what, when and why; and what its provider refused.
import { useTexts } from '../../preferences.js';
import { BankCode } from '../../ui/bank-code.js';
import { Section } from '../../ui/facts.js';
import { Words } from '../../ui/theirs.js';
import { Instant } from '../../ui/time.js';
import { actionText, actTexts } from '../../texts/acts.js';
import { caseTexts } from '../../texts/case.js';
import { paymentTexts } from '../../texts/payment.js';
import { workTexts } from '../../texts/work.js';
import { DecisionLine } from '../case/history.js';
import type { Payment, PaymentProps } from './types.js';

export type Act = Payment['people'][number];

/** Decisions on the payment, and whatever else people did about it, in order. */
export function PeopleDecided({ payment: { decided, write_offs: writeOffs, people, operation } }: PaymentProps) {
  const texts = useTexts(paymentTexts);
  const decisions = [
    ...decided.map((decision) => ({ ...decision, shown: <DecisionLine decision={decision} /> })),
    ...writeOffs.map(({ evidence, ...decision }) => ({
      ...decision,
      shown: (
        <>
          <strong>{texts.writeOffs}:</strong> <DecisionLine decision={decision} /> · {texts.evidence}:{' '}
          <Words text={`“${evidence}”`} />
        </>
      ),
    })),
  ].map(({ person, at, shown }) => ({ key: keyOf({ person, at }), at, shown }));
  const known = new Set(decisions.map(({ key }) => key));
  const others = people
    // The trail has the decisions, too.
    .filter((act) => !act.is_provider && !known.has(keyOf(act)))
    .map((act) => ({ key: act.key, at: act.at, shown: <ActLine act={act} zone={operation.time_zone} /> }));
  const all = [...decisions, ...others].toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
  if (all.length === 0) return null;
  return (
    <Section title={texts.decided}>
      <ul className="decisions">
        {all.map(({ key, shown }) => (
          <li key={key}>{shown}</li>
        ))}
      </ul>
    </Section>
  );
}

/** No person does two things in one millisecond. */
function keyOf({ person, at }: { readonly person: string; readonly at: string }): string {
  return `${person} ${Date.parse(at)}`;
}

export function ActLine({ act, zone }: { readonly act: Act; readonly zone: string }) {
  const texts = useTexts(actTexts);
  const { fields } = useTexts(caseTexts);
  const { until: untilText } = useTexts(workTexts);
  const { evidence: evidenceText } = useTexts(paymentTexts);
  const { person, action, given_to: to, until, field, code, requested_by: by, reason, evidence, at } = act;
  return (
    <span>
      <strong>{person}</strong> {actionText(texts, action) ?? <code>{action}</code>}
      {to !== null && ` → ${to}`}
      {field !== null && ` (${(fields as Readonly<Record<string, string>>)[field] ?? field})`}
      {code !== null && (
        <>
          {' '}
          (<BankCode code={code} />)
        </>
      )}
      {by !== null && `, ${texts.requestedBy(by)}`}
      {until !== null && (
        <>
          {' '}
          {untilText} <Instant at={until} zone={zone} />
        </>
      )}{' '}
      <span className="quiet">
        · <Instant at={at} zone={zone} />
      </span>
      {/* Of a refused return it is the person's, and stands with their act. */}
      {!act.is_provider && reason !== null && reason !== '' && <Words text={`“${reason}”`} />}
      {evidence !== null && (
        <>
          {' '}
          · {evidenceText}: <Words text={`“${evidence}”`} />
        </>
      )}
    </span>
  );
}
