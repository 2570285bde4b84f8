// What a person does about a proposed change: approve its proof by the digest, reject it, have the proof computed
// again.
import { useState } from 'react';
import { useTexts } from '../../preferences.js';
import { ActButton } from '../../ui/act-button.js';
import { ruleChangeTexts } from '../../texts/rule-changes.js';
import { DecisionLine } from '../case/history.js';
import { ChangeDialog } from './dialog.js';
import { MissingApprovals } from './proposed-by.js';
import type { ActName, ChangeProps } from './types.js';

const ACTS = [
  { act: 'approve', tone: 'good' },
  { act: 'reject', tone: 'bad' },
  { act: 'recompute', tone: 'plain' },
] as const satisfies readonly { act: ActName; tone: string }[];

export function ChangeActs({ change }: ChangeProps) {
  const texts = useTexts(ruleChangeTexts);
  const [acting, setActing] = useState<ActName | null>(null);
  const { given, needed } = change.approvals;
  return (
    <aside className="decision-panel" aria-label={texts.decide}>
      <h2>{texts.decide}</h2>
      <p>
        <span className={given.length > 0 ? 'chip chip-go' : 'chip chip-wait'}>
          {texts.given(given.length, needed)}
        </span>
      </p>
      <MissingApprovals of={change} />
      <div className="decision-buttons">
        {ACTS.map(({ act, tone }) => (
          <ActButton key={act} possibility={change.acts[act]} tone={tone} onAct={() => setActing(act)}>
            {texts.acts[act]}
          </ActButton>
        ))}
      </div>
      <h3>{texts.decidedTitle}</h3>
      {change.decided.length === 0 ? (
        <p className="quiet">{texts.nobody}</p>
      ) : (
        <ul className="decisions">
          {change.decided.map((decision) => (
            <li key={`${decision.person} ${decision.at}`}>
              <DecisionLine decision={decision} />
            </li>
          ))}
        </ul>
      )}
      {acting !== null && <ChangeDialog change={change} act={acting} onClose={() => setActing(null)} />}
    </aside>
  );
}
