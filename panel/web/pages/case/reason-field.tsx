// The field for a reason, and reasons that a digit fills in.
import { useEffect, useId } from 'react';
import { currentPreferences, useTexts } from '../../preferences.js';
import { caseTexts } from '../../texts/case.js';

const LONGEST = 500;
const SHORTEST = 3;

/** Whether a text says too little to be a reason. */
export const isShort = (text: string): boolean => text.trim().length < SHORTEST;

export interface ReasonFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly isOptional?: boolean;
  readonly autoFocus?: boolean;
  readonly isDisabled?: boolean;
}

export function ReasonField(props: ReasonFieldProps) {
  const { label, value, onChange, isOptional = false, autoFocus = false, isDisabled = false } = props;
  const texts = useTexts(caseTexts);
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>
        {label} {isOptional && <span className="quiet">({texts.optional})</span>}
      </label>
      <textarea
        id={id}
        rows={2}
        maxLength={LONGEST}
        value={value}
        readOnly={isDisabled}
        aria-describedby={`${id}-hint`}
        ref={(element) => {
          if (autoFocus && element !== null && element.dataset['seen'] === undefined) {
            element.dataset['seen'] = '';
            element.focus();
          }
        }}
        // One line is stored.
        onChange={({ target }) => onChange(target.value.replace(/\s*\n\s*/g, ' '))}
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.preventDefault();
        }}
      />
      <p id={`${id}-hint`} className="hint">
        {texts.reasonHint}
      </p>
    </div>
  );
}

export interface ReadyReasonsProps {
  readonly reasons: readonly string[];
  readonly onChoose: (reason: string) => void;
}

/** Digits choose unless a field has the focus; Alt with a digit always. */
export function ReadyReasons({ reasons, onChoose }: ReadyReasonsProps) {
  const texts = useTexts(caseTexts);
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const reason = /^Digit[1-9]$/.test(event.code) ? reasons[Number(event.code.slice(-1)) - 1] : undefined;
      const isTyping = event.target instanceof HTMLElement && event.target.closest('input, textarea, select') !== null;
      const isMeant = event.altKey || (!isTyping && currentPreferences().hasKeys);
      if (reason === undefined || !isMeant || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      onChoose(reason);
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [reasons, onChoose]);
  return (
    <fieldset className="ready">
      <legend>{texts.ready}</legend>
      {reasons.map((reason, index) => (
        <button key={reason} type="button" className="chip-button" onClick={() => onChoose(reason)}>
          <kbd aria-hidden="true">Alt {index + 1}</kbd> {reason}
        </button>
      ))}
    </fieldset>
  );
}
