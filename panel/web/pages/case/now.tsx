// The payment's current state, as a refusal reports it: what another person has decided.
import type { Fault } from '../../api/faults.js';
import { useWords } from '../../preferences.js';
import { caseWords } from '../../words/case.js';
import { commonWords } from '../../words/common.js';
import { DecisionLine } from './history.js';

export function Now({ fault }: { readonly fault: Fault }) {
  const words = useWords(caseWords);
  const { statuses } = useWords(commonWords);
  const now = fault.kind === 'refused' ? fault.error.now : undefined;
  if (now === undefined) return null;
  return (
    <>
      <p>{words.nowIs(statuses[now.status] ?? now.status)}</p>
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
