// The payment's current state, as a refusal reports it: what another person has decided.
import type { Fault } from '../../api/faults.js';
import { useTexts } from '../../preferences.js';
import { caseTexts } from '../../texts/case.js';
import { commonTexts } from '../../texts/common.js';
import { DecisionLine } from './history.js';

export function Now({ fault }: { readonly fault: Fault }) {
  const texts = useTexts(caseTexts);
  const { statuses } = useTexts(commonTexts);
  const now = fault.kind === 'refused' ? fault.error.now : undefined;
  if (now === undefined) return null;
  return (
    <>
      <p>{texts.nowIs(statuses[now.status] ?? now.status)}</p>
      <ul className="decisions">
        {now.decisions.map((decision) => (
          <li key={`${decision.person} ${decision.at}`}>
            <DecisionLine decision={decision} />
          </li>
        ))}
      </ul>
    </>
  );
}
