// Shows what another person did while this one viewed the case. Nothing can be decided until it was seen.
import { useWords } from '../../preferences.js';
import { caseWords } from '../../words/case.js';
import { commonWords } from '../../words/common.js';
import { DecisionLine } from './history.js';
import type { CaseProps } from './types.js';

export function Changed({ case: shown, onSeen }: CaseProps & { readonly onSeen: () => void }) {
  const words = useWords(caseWords);
  const { statuses } = useWords(commonWords);
  const last = shown.decided.at(-1);
  return (
    <div className="notice notice-wait" role="alert">
      <p>
        <strong>{words.changed}</strong> {words.nowIs(statuses[shown.status] ?? shown.status)}
      </p>
      {last !== undefined && (
        <p>
          <DecisionLine decision={last} />
        </p>
      )}
      <button type="button" className="button" onClick={onSeen}>
        {words.lookAgain}
      </button>
    </div>
  );
}
