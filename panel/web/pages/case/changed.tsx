// Shows what another person did while this one viewed the case. Nothing can be decided until it was seen.
import { useTexts } from '../../preferences.js';
import { caseTexts } from '../../texts/case.js';
import { commonTexts } from '../../texts/common.js';
import { DecisionLine } from './history.js';
import type { CaseProps } from './types.js';

export function Changed({ case: shown, onSeen }: CaseProps & { readonly onSeen: () => void }) {
  const texts = useTexts(caseTexts);
  const { statuses } = useTexts(commonTexts);
  const last = shown.decided.at(-1);
  return (
    <div className="notice notice-wait" role="alert">
      <p>
        <strong>{texts.changed}</strong> {texts.nowIs(statuses[shown.status] ?? shown.status)}
      </p>
      {last !== undefined && (
        <p>
          <DecisionLine decision={last} />
        </p>
      )}
      <button type="button" className="button" onClick={onSeen}>
        {texts.lookAgain}
      </button>
    </div>
  );
}
