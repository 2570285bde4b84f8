// The decision on a case: what is possible, why the rest is not, who has decided, and what changed in the meantime.
import { useRef, useState } from 'react';
import { useTexts } from '../../preferences.js';
import { ActButton } from '../../ui/act-button.js';
import { useKeys } from '../../ui/keys.js';
import { caseTexts } from '../../texts/case.js';
import { Changed } from './changed.js';
import type { Case, CaseProps, Decision } from './types.js';
import { DecisionDialog } from './decision-dialog.js';
import { DecisionLine } from './history.js';
import { useNextCase } from './next-case.js';

/** A withdrawal is refused, a paid deposit is returned. */
const DECISIONS = {
  withdrawal: [
    { decision: 'approve', tone: 'good', key: 'A' },
    { decision: 'refuse', tone: 'bad', key: 'R' },
  ],
  deposit: [
    { decision: 'approve', tone: 'good', key: 'A' },
    { decision: 'return', tone: 'bad', key: 'R' },
  ],
} as const satisfies Readonly<Record<Case['kind'], readonly { decision: Decision; tone: string; key: string }[]>>;

export function DecisionPanel({ case: shown }: CaseProps) {
  const texts = useTexts(caseTexts);
  const [deciding, setDeciding] = useState<Decision | null>(null);
  // The version that the person has seen: every decision carries it.
  const [seen, setSeen] = useState(shown.version);
  const buttons = useRef<HTMLDivElement>(null);
  const { next, previous, skip } = useNextCase(shown.id);
  const offered = DECISIONS[shown.kind];
  const begin = (key: string) => {
    const choice = offered.find((candidate) => candidate.key === key);
    if (choice === undefined) return;
    if (shown.acts[choice.decision].possible) setDeciding(choice.decision);
    // A screen reader then reads the reason.
    else buttons.current?.querySelector<HTMLElement>(`[aria-keyshortcuts="${key}"]`)?.focus();
  };
  useKeys({
    a: () => begin('A'),
    r: () => begin('R'),
    s: () => void skip(),
    j: () => void next(),
    k: () => void previous(),
  });
  const isWaiting = shown.status === 'under_review';
  return (
    <aside className="decision-panel" aria-label={texts.decide}>
      <h2>{texts.decide}</h2>
      {!isWaiting && <p className="notice notice-wait">{texts.notWaiting}</p>}
      {seen !== shown.version && <Changed case={shown} onSeen={() => setSeen(shown.version)} />}
      <Approvals case={shown} />
      <div className="decision-buttons" ref={buttons}>
        {offered.map(({ decision, tone, key }) => (
          <ActButton
            key={decision}
            possibility={shown.acts[decision]}
            tone={tone}
            shortcut={key}
            onAct={() => setDeciding(decision)}
          >
            {texts[decision]}
          </ActButton>
        ))}
        <ActButton possibility={{ possible: true, why_not: null }} shortcut="S" onAct={() => void skip()}>
          {texts.skip}
        </ActButton>
      </div>
      <Decided case={shown} />
      {deciding !== null && (
        <DecisionDialog
          case={shown}
          decision={deciding}
          seenVersion={seen}
          onSeen={() => setSeen(shown.version)}
          onClose={() => setDeciding(null)}
        />
      )}
    </aside>
  );
}

function Approvals({ case: { approvals } }: CaseProps) {
  const texts = useTexts(caseTexts);
  if (approvals.needed < 2) return null;
  const { given, needed } = approvals;
  return (
    <p>
      <span className={`chip chip-${given.length > 0 ? 'go' : 'wait'}`}>{texts.needed(given.length, needed)}</span>{' '}
      {given.length === 1 && <span className="quiet">{texts.second}</span>}
    </p>
  );
}

function Decided({ case: { decided } }: CaseProps) {
  const texts = useTexts(caseTexts);
  return (
    <>
      <h3>{texts.decidedHere}</h3>
      {decided.length === 0 ? (
        <p className="quiet">{texts.noneYet}</p>
      ) : (
        <ul className="decisions">
          {decided.map((decision) => (
            <li key={`${decision.person} ${decision.at}`}>
              <DecisionLine decision={decision} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
