// The rules' decisions on a payment under another version of the operation's rules.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Answered } from '../../../../contract/panel/routes.js';
import { readList } from '../../api/queries.js';
import { useTexts } from '../../preferences.js';
import { Section } from '../../ui/facts.js';
import { Loaded } from '../../ui/states.js';
import { Instant } from '../../ui/time.js';
import { caseTexts } from '../../texts/case.js';
import { paymentTexts } from '../../texts/payment.js';
import { WhyList } from '../case/rule-decisions.js';
import type { PaymentProps } from './types.js';

type DecisionReplay = Answered<'readReplay'>['decisions'][number];

/** Renders nothing if the rules decided nothing. */
export function Replay({ payment }: PaymentProps) {
  const { replay: texts } = useTexts(paymentTexts);
  const [version, setVersion] = useState('');
  const { decisions, version_in_force: last } = payment;
  if (decisions.length === 0) return null;
  return (
    <Section title={texts.title}>
      <form className="filters" onSubmit={(event) => event.preventDefault()}>
        <label>
          {texts.version}
          <select value={version} onChange={({ target }) => setVersion(target.value)}>
            <option value="">{texts.choose}</option>
            {Array.from({ length: last }, (_, index) => String(last - index)).map((one) => (
              <option key={one} value={one}>
                {one === String(last) ? texts.inForce(one) : one}
              </option>
            ))}
          </select>
        </label>
      </form>
      {version === '' ? (
        <p className="quiet">{texts.text}</p>
      ) : (
        <ReplayUnder key={version} payment={payment} version={version} />
      )}
    </Section>
  );
}

function ReplayUnder({ payment: { id, amount, operation }, version }: PaymentProps & { readonly version: string }) {
  const query = useQuery(readList('readReplay', { params: { id }, query: { version } }));
  return (
    <Loaded query={query} lines={2}>
      {({ decisions }) =>
        decisions.map((decision) => (
          <ReplayedDecision
            key={`${decision.stage} ${decision.at}`}
            decision={decision}
            currency={amount.currency}
            zone={operation.time_zone}
          />
        ))
      }
    </Loaded>
  );
}

interface ReplayedProps {
  readonly decision: DecisionReplay;
  readonly currency: string;
  readonly zone: string;
}

function ReplayedDecision({ decision, currency, zone }: ReplayedProps) {
  const { replay: texts } = useTexts(paymentTexts);
  const { outcomes, stages, ruleset, reproduced, notReproduced } = useTexts(caseTexts);
  const { stage, at, ruleset_version: own, was, is, differs, reproduced: isReproduced, why } = decision;
  const name = (kind: string) => outcomes[kind] ?? kind;
  return (
    <details className="rule-decision">
      <summary>
        <strong>{was.kind === is.kind ? name(is.kind) : `${name(was.kind)} → ${name(is.kind)}`}</strong>{' '}
        {stages[stage] ?? stage} · {texts.decidedBy(ruleset(own))} · <Instant at={at} zone={zone} />{' '}
        <span className={`chip chip-${differs ? 'wait' : 'plain'}`}>{differs ? texts.differs : texts.same}</span>{' '}
        {isReproduced !== null && (
          <span className={isReproduced ? 'chip chip-good' : 'chip chip-bad'}>
            {isReproduced ? reproduced : notReproduced}
          </span>
        )}
      </summary>
      {why.length === 0 ? (
        <p className="quiet">{texts.nothingHit}</p>
      ) : (
        <WhyList why={why} currency={currency} zone={zone} />
      )}
    </details>
  );
}
