// The proof of a change: the decisions of the last 30 days under the proposed rules, down to single payments.
import { Link } from '@tanstack/react-router';
import type { NotComparable } from '../../../../domain/rules/proof/redecide.js';
import { usePreferences, useTexts } from '../../preferences.js';
import { Copyable } from '../../ui/copyable.js';
import { Facts, Section, TableBox, TableHead } from '../../ui/facts.js';
import { moneyText } from '../../ui/money.js';
import { Instant } from '../../ui/time.js';
import { reasonText, reasonTexts } from '../../texts/reasons.js';
import { ruleChangeTexts } from '../../texts/rule-changes.js';
import { Numbers } from '../case/reasons.js';
import type { ChangeProps, Report } from './types.js';

interface ReportProps {
  readonly report: Report;
  readonly zone: string;
}

export function ProofSection({ change: { proof, operation } }: ChangeProps) {
  const texts = useTexts(ruleChangeTexts);
  if (proof === null)
    return (
      <Section title={texts.proof}>
        <p className="notice notice-wait">{texts.noProof}</p>
      </Section>
    );
  const given = { report: proof.report, zone: operation.time_zone };
  return (
    <>
      <Section title={texts.proof}>
        {!proof.is_intact && (
          <p className="notice notice-bad" role="alert">
            {texts.broken}
          </p>
        )}
        <Scope {...given} />
        <Facts of={[[texts.digest, <Copyable key="digest" text={proof.digest} />]]} />
        <Moved {...given} />
        <Outcomes {...given} />
      </Section>
      {proof.report.flips.length > 0 && <Flips {...given} />}
    </>
  );
}

function Scope({ report, zone }: ReportProps) {
  const texts = useTexts(ruleChangeTexts);
  const missing = Object.entries(report.not_comparable) as [NotComparable, number][];
  return (
    <>
      <p>
        {texts.window} <Instant at={report.from} zone={zone} /> {texts.until}{' '}
        <Instant at={report.through} zone={zone} />: <strong>{texts.compared(report.compared)}</strong>.{' '}
        {report.is_cut_off && texts.cutOff}
      </p>
      {missing.map(
        ([because, count]) =>
          count > 0 && (
            <p key={because} className="quiet">
              {texts.notCompared(count, texts.notComparable[because])}
            </p>
          ),
      )}
      {report.decided_under_other_rules > 0 && (
        <p className="quiet">{texts.otherwise(report.decided_under_other_rules)}</p>
      )}
    </>
  );
}

function Moved({ report }: ReportProps) {
  const texts = useTexts(ruleChangeTexts);
  const { language } = usePreferences();
  const { compared, flipped, currency } = report;
  if (compared === 0) return <p className="notice notice-wait">{texts.nothingToCompare}</p>;
  const sum = ({ decisions, amount_minor: amount }: Report['to_review']) =>
    `${moneyText({ amount, currency }, language)} (${decisions})`;
  const flips = flipped.decisions > 0;
  const moved = (
    [
      [texts.toReview, report.to_review, flips],
      [texts.fromReview, report.from_review, flips],
      // A second person decides no outcome: nothing may flip, and people still have more or less to do.
      [texts.toTwoPeople, report.to_two_people, report.to_two_people.decisions > 0],
      [texts.fromTwoPeople, report.from_two_people, report.from_two_people.decisions > 0],
    ] as const
  ).filter(([, , isShown]) => isShown);
  return (
    <>
      {flips ? (
        <p>
          <strong>{texts.flips(flipped.decisions, flipped.players)}</strong>
          {flipped.players_unknown > 0 && <>; {texts.unknownPlayers(flipped.players_unknown)}</>}
        </p>
      ) : (
        <p>{texts.noFlip}</p>
      )}
      {moved.length > 0 && <Facts of={moved.map(([name, movement]) => [name, sum(movement)])} />}
    </>
  );
}

/** Subjects without decisions are left out. */
function Outcomes({ report: { outcomes, currency } }: ReportProps) {
  const texts = useTexts(ruleChangeTexts);
  const { language } = usePreferences();
  const counted = outcomes.filter((one) =>
    outcomes.some((other) => other.subject === one.subject && other.decided + other.in_force + other.proposed > 0),
  );
  if (counted.length === 0) return null;
  const money = (amount: string) => moneyText({ amount, currency }, language);
  return (
    <TableBox label={texts.outcomesTitle}>
      <TableHead of={texts.columns} numbersFrom={1} />
      <tbody>
        {counted.map((one) => (
          <tr key={`${one.subject} ${one.outcome}`}>
            <td>
              {texts.subjects[one.subject]}: {texts.outcomes[one.outcome] ?? one.outcome}
            </td>
            <td className="number">{one.in_force}</td>
            <td className="number">{one.proposed}</td>
            <td className="number">{one.proposed === one.in_force ? '·' : signed(one.proposed - one.in_force)}</td>
            <td className="money number">{money(one.in_force_minor)}</td>
            <td className="money number">{money(one.proposed_minor)}</td>
          </tr>
        ))}
      </tbody>
    </TableBox>
  );
}

function signed(difference: number): string {
  return difference > 0 ? `+${difference}` : `−${-difference}`;
}

function Flips({ report, zone }: ReportProps) {
  const texts = useTexts(ruleChangeTexts);
  const { language } = usePreferences();
  const name = (outcome: string) => texts.outcomes[outcome] ?? outcome;
  const money = (amount: string) => moneyText({ amount, currency: report.currency }, language);
  return (
    <Section title={texts.flipsTitle}>
      {report.flips.map(({ subject, from, to, decisions, players, amount_minor: sum, examples }) => (
        <div key={`${subject} ${from} ${to}`}>
          <h3>{texts.flipTitle(texts.subjects[subject], name(from), name(to))}</h3>
          <p className="quiet">
            {texts.flips(decisions, players)} · {money(sum)}
          </p>
          <ul className="reasons">
            {examples.map((example) => (
              <Example key={`${example.object_id} ${example.decided_at}`} of={example} report={report} zone={zone} />
            ))}
          </ul>
          {decisions > examples.length && <p className="quiet">{texts.moreFlips(decisions - examples.length)}</p>}
        </div>
      ))}
    </Section>
  );
}

type FlipExample = Report['flips'][number]['examples'][number];

/** A refused payment was never stored and has no page; its id leads to its decisions by the search. */
function Example({ of: example, report, zone }: ReportProps & { readonly of: FlipExample }) {
  const texts = useTexts(ruleChangeTexts);
  const reasons = useTexts(reasonTexts);
  const { language } = usePreferences();
  const { object_id: id, amount_minor: amount, decided_at: at, why } = example;
  return (
    <li>
      <p className="case-line">
        <Link to="/payments/$id" params={{ id }}>
          {id}
        </Link>
        <span className="money">{moneyText({ amount, currency: report.currency }, language)}</span>
        <Instant at={at} zone={zone} />
      </p>
      {why.map(({ code, proposed, compared }) => (
        <div key={code}>
          <p>
            <span className="quiet">{texts[proposed]}</span> {reasonText(reasons, code).label}
          </p>
          <Numbers compared={compared} currency={report.currency} zone={zone} />
        </div>
      ))}
    </li>
  );
}
