// What the rules decided, with every number, whether a replay gives the same result, and what would have passed.
import type { Answered } from '../../../../contract/panel/routes.js';
import { useTexts } from '../../preferences.js';
import { Section } from '../../ui/facts.js';
import { useMoney } from '../../ui/money.js';
import { Instant } from '../../ui/time.js';
import { caseTexts } from '../../texts/case.js';
import { reasonText, reasonTexts } from '../../texts/reasons.js';
import type { CaseProps } from './types.js';
import { Numbers } from './reasons.js';

type RuleDecision = Answered<'readCase'>['decisions'][number];

/** Only where another amount or another time would have passed: else the reasons say everything. */
export function WhatWouldHavePassed({ case: { decisions, amount, operation } }: CaseProps) {
  const texts = useTexts(caseTexts);
  const money = useMoney();
  const passing = decisions.findLast(({ counterfactual }) => counterfactual !== null)?.counterfactual;
  if (passing === undefined || passing === null) return null;
  const { automatic_up_to: upTo, automatic_from: from } = passing;
  if (upTo === null && from === null) return null;
  return (
    <p className="counterfactual">
      <strong>{texts.passed}:</strong> {upTo !== null && texts.upTo(money(upTo), money(amount))}{' '}
      {from !== null && (
        <>
          {texts.fromThen} <Instant at={from} zone={operation.time_zone} />.
        </>
      )}
    </p>
  );
}

interface RuleDecisionsProps {
  readonly decisions: readonly RuleDecision[];
  readonly currency: string;
  readonly zone: string;
}

export function RuleDecisions({ decisions, currency, zone }: RuleDecisionsProps) {
  const texts = useTexts(caseTexts);
  if (decisions.length === 0) return null;
  return (
    <Section title={texts.rules}>
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
  const texts = useTexts(caseTexts);
  const { stage, at, outcome, why, reproduced, digest, ruleset_version: version } = decision;
  return (
    <details className="rule-decision">
      <summary>
        <strong>{texts.outcomes[outcome.kind] ?? outcome.kind}</strong> {texts.stages[stage] ?? stage} ·{' '}
        {texts.ruleset(version)} · <Instant at={at} zone={zone} />{' '}
        <span className={reproduced ? 'chip chip-good' : 'chip chip-bad'}>
          {reproduced ? texts.reproduced : texts.notReproduced}
        </span>
      </summary>
      <WhyList why={why} currency={currency} zone={zone} />
      <p className="quiet digest">
        {texts.digest}: <code>{digest}</code>
      </p>
    </details>
  );
}

interface WhyListProps extends Omit<RuleDecisionsProps, 'decisions'> {
  readonly why: RuleDecision['why'];
}

/** Every rule that matched, with what it compared. */
export function WhyList({ why, currency, zone }: WhyListProps) {
  const texts = useTexts(caseTexts);
  const reasons = useTexts(reasonTexts);
  return (
    <ul className="reasons">
      {why.map(({ code, compared, decided }) => (
        <li key={code}>
          <p>
            <strong>{reasonText(reasons, code).label}</strong>: {reasonText(reasons, code).sentence}
            {!decided && <span className="quiet"> ({texts.outranked})</span>}
          </p>
          <Numbers compared={compared} currency={currency} zone={zone} />
        </li>
      ))}
    </ul>
  );
}
