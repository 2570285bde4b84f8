// A new passkey: which device it is, then the browser asks for it.
import { useId, useState } from 'react';
import { useTexts } from '../../preferences.js';
import { shellTexts } from '../../texts/shell.js';

const LONGEST_NAME = 60;

export function PasskeyForm({ onName }: { readonly onName: (name: string) => Promise<void> }) {
  const { passkeys: texts } = useTexts(shellTexts);
  const [name, setName] = useState('');
  const [isBusy, setBusy] = useState(false);
  const id = useId();
  const isReady = name.trim() !== '' && !isBusy;
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isReady) return;
        setBusy(true);
        void onName(name.trim()).finally(() => {
          setBusy(false);
          setName('');
        });
      }}
    >
      <div className="field">
        <label htmlFor={id}>{texts.name}</label>
        <input id={id} value={name} maxLength={LONGEST_NAME} onChange={({ target }) => setName(target.value)} />
      </div>
      <div className="buttons">
        <button type="submit" className="button button-good" aria-disabled={!isReady}>
          {texts.add}
        </button>
      </div>
    </form>
  );
}
