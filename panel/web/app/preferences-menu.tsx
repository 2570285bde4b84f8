// Who is signed in, and what they chose for this browser.
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ask } from '../api/client.js';
import { queryClient } from '../api/queries.js';
import { useSession } from '../api/session.js';
import { forgetDrafts } from '../pages/case/draft.js';
import { prefer, type Preferences, usePreferences, useTexts } from '../preferences.js';
import { PanelDialog } from '../ui/dialog.js';
import { useOperationName } from '../ui/operation-name.js';
import { shellTexts } from '../texts/shell.js';

const THEMES = ['system', 'light', 'dark'] as const;
const LANGUAGES = { 'pt-BR': 'Português', en: 'English' } as const;

export function PreferencesMenu({ onHelp }: { readonly onHelp: () => void }) {
  const texts = useTexts(shellTexts);
  const session = useSession();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className="button-quiet person"
        aria-haspopup="dialog"
        aria-label={`${texts.signedInAs(session.handle)} · ${texts.preferences}`}
        onClick={() => setOpen(true)}
      >
        {session.handle} ▾
      </button>
      {isOpen && (
        <PanelDialog title={texts.preferences} onClose={() => setOpen(false)}>
          <Person />
          <Choices />
          <div className="buttons">
            <Link to="/passkeys" className="button" onClick={() => setOpen(false)}>
              {texts.passkeys.menu}
            </Link>
            <button
              type="button"
              className="button"
              onClick={() => {
                setOpen(false);
                onHelp();
              }}
            >
              {texts.showKeys}
            </button>
            <button type="button" className="button" onClick={() => void signOut()}>
              {texts.signOut}
            </button>
          </div>
        </PanelDialog>
      )}
    </>
  );
}

function Person() {
  const operationName = useOperationName();
  const texts = useTexts(shellTexts);
  const { handle, roles } = useSession();
  return (
    <div>
      <p>
        <strong>{handle}</strong>
      </p>
      <ul className="plain quiet">
        {roles.map(({ role, operation }) => (
          <li key={`${role} ${operation?.id ?? ''}`}>
            {texts.roles[role]} · {operation === null ? texts.everywhere : operationName(operation)}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Choices() {
  const texts = useTexts(shellTexts);
  const { language, theme, hasKeys } = usePreferences();
  return (
    <div className="fields">
      <label>
        {texts.language}
        <select
          value={language}
          onChange={({ target }) => prefer({ language: target.value as Preferences['language'] })}
        >
          {Object.entries(LANGUAGES).map(([code, name]) => (
            <option key={code} value={code} lang={code}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label>
        {texts.theme}
        <select value={theme} onChange={({ target }) => prefer({ theme: target.value as Preferences['theme'] })}>
          {THEMES.map((name) => (
            <option key={name} value={name}>
              {texts.themes[name]}
            </option>
          ))}
        </select>
      </label>
      <label>
        {texts.keys}
        <select value={hasKeys ? 'on' : 'off'} onChange={({ target }) => prefer({ hasKeys: target.value === 'on' })}>
          <option value="on">{texts.keysOn}</option>
          <option value="off">{texts.keysOff}</option>
        </select>
      </label>
    </div>
  );
}

/** Even if the panel answers with an error, no personal data stays in the browser. */
async function signOut(): Promise<void> {
  await ask('signOut', {}).catch(() => undefined);
  forgetDrafts();
  queryClient.clear();
  location.assign('/sign-in');
}
