// A button for an act. One that is not possible stays in the tab order and says why.
import { type ReactNode, useId } from 'react';
import type { WhyNot } from '../../../contract/panel/schemas/common.js';
import { useWords } from '../preferences.js';
import { commonWords } from '../words/common.js';

interface Possibility {
  readonly possible: boolean;
  readonly why_not: WhyNot | null;
}

export interface ActButtonProps {
  readonly possibility: Possibility;
  readonly onAct: () => void;
  readonly tone?: 'good' | 'bad' | 'plain';
  readonly shortcut?: string | undefined;
  readonly children: ReactNode;
}

export function ActButton({ possibility, onAct, tone = 'plain', shortcut, children }: ActButtonProps) {
  const id = useId();
  const words = useWords(commonWords);
  const { possible, why_not: why } = possibility;
  const text = possible || why === null ? null : words.whyNot[why];
  return (
    <div className="act">
      <button
        type="button"
        className={`button button-${tone}`}
        aria-disabled={!possible}
        aria-describedby={text === null ? undefined : id}
        aria-keyshortcuts={shortcut}
        onClick={() => possible && onAct()}
      >
        {children}
        {shortcut !== undefined && <kbd aria-hidden="true">{shortcut}</kbd>}
      </button>
      {text !== null && (
        <p id={id} className="act-why">
          {text}
        </p>
      )}
    </div>
  );
}
