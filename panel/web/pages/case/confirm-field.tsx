// What a person types before an act that moves money: the end of the id, to confirm that the payment is the right one.
import { useId } from 'react';
import { useTexts } from '../../preferences.js';
import { caseTexts } from '../../texts/case.js';

/** Whether what was typed confirms it. `wanted` is `null` when nothing has to be typed. */
export function isConfirmed(wanted: string | null, typed: string): boolean {
  return wanted === null || typed.trim().toLowerCase() === wanted.toLowerCase();
}

interface ConfirmFieldProps {
  readonly wanted: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
}

/** Focused first: an approval is a key, four characters and Ctrl+Enter. */
export function ConfirmField({ wanted, value, onChange }: ConfirmFieldProps) {
  const texts = useTexts(caseTexts);
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{texts.confirm(wanted)}</label>
      <input
        id={id}
        className="confirm"
        value={value}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        maxLength={64}
        onChange={({ target }) => onChange(target.value)}
        ref={(element) => {
          if (element === null || element.dataset['seen'] !== undefined) return;
          element.dataset['seen'] = '';
          element.focus();
        }}
      />
    </div>
  );
}
