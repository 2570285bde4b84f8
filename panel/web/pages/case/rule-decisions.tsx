// What the rules decided, with every number, whether a replay gives the same result, and what would have passed.
import type { Answered } from '../../../../contract/panel/routes.js';
import { useWords } from '../../preferences.js';
import { Section } from '../../ui/facts.js';
import { useMoney } from '../../ui/money.js';
import { Instant } from '../../ui/time.js';
import { caseWords } from '../../words/case.js';
import { reasonText, reasonWords } from '../../words/reasons.js';
import type { CaseProps } from './types.js';
import { Numbers } from './reasons.js';

type RuleDecision = Answered<'readCase'>['decisions'][number];

export function WhatWouldHavePassed({ case: { decisions, operation } }: CaseProps) {
  const words = useWords(caseWords);
  const money = useMoney();
  const passing = decisions.findLast(({ counterfactual }) => counterfactual !== null)?.counterfactual;
  if (passing === undefined || passing === null) return null;
  const { automatic_up_to: upTo, automatic_from: from } = passing;
  return (
    <p className="counterfactual">
      <strong>{words.passed}:</strong> {upTo !== null && words.upTo(money(upTo))}{' '}
      {from !== null && (
        <>
          {words.fromThen} <Instant at={from} zone={operation.time_zone} />
        </>
      )}
      {upTo === null && from === null && words.onlyPeople}
    </p>
  );
}

interface RuleDecisionsProps {
  readonly decisions: readonly RuleDecision[];
  readonly currency: string;
  readonly zone: string;
}

export function RuleDecisions({ decisions, currency, zone }: RuleDecisionsProps) {
  const words = useWords(caseWords);
  if (decisions.length === 0) return null;
  return (
    <Section title={words.rules}>
      {decisions.map((decision) => (
        <Decision key={`${decision.stage} ${decision.at}`} decision={decision} currency={currency} zone={zone} />
      ))}
    </Section>
  );
}

function Decision({
  decision,
  currency,
  zone,
}: Omit<RuleDecisionsProps, 'decisions'> & { readonly decision: RuleDecision }) {
  const words = useWords(caseWords);
  const { stage, at, outcome, why, reproduced, digest, ruleset_version: version } = decision;
  return (
    <details className="rule-decision">
      <summary>
        <strong>{words.outcomes[outcome.kind] ?? outcome.kind}</strong> {words.stages[stage] ?? stage} ·{' '}
        {words.ruleset(version)} · <Instant at={at} zone={zone} />{' '}
        <span className={reproduced ? 'chip chip-good' : 'chip chip-bad'}>
          {reproduced ? words.reproduced : words.notReproduced}
        </span>
      </summary>
      <WhyList why={why} currency={currency} zone={zone} />
      <p className="quiet digest">
        {words.digest}: <code>{digest}</code>
      </p>
    </details>
  );
}

interface WhyListProps extends Omit<RuleDecisionsProps, 'decisions'> {
  readonly why: RuleDecision['why'];
}

/** Every rule that matched, with what it compared. */
export function WhyList({ why, currency, zone }: WhyListProps) {
  const words = useWords(caseWords);
  const reasons = useWords(reasonWords);
  return (
    <ul className="reasons">
      {why.map(({ code, compared, decided }) => (
        <li key={code}>
          <p>
            <strong>{reasonText(reasons, code).label}</strong>: {reasonText(reasons, code).sentence}
            {!decided && <span className="quiet"> ({words.outranked})</span>}
          </p>
          <Numbers compared={compared} currency={currency} zone={zone} />
        </li>
      ))}
    </ul>
  );
}
