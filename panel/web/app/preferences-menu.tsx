// Who is signed in, and what they chose for this browser.
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ask } from '../api/client.js';
import { queryClient } from '../api/queries.js';
import { useSession } from '../api/session.js';
import { forgetDrafts } from '../pages/case/draft.js';
import { prefer, type Preferences, usePreferences, useWords } from '../preferences.js';
import { PanelDialog } from '../ui/dialog.js';
import { shellWords } from '../words/shell.js';

const THEMES = ['system', 'light', 'dark'] as const;
const LANGUAGES = { 'pt-BR': 'Português', en: 'English' } as const;

export function PreferencesMenu({ onHelp }: { readonly onHelp: () => void }) {
  const words = useWords(shellWords);
  const session = useSession();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className="button-quiet person"
        aria-haspopup="dialog"
        aria-label={`${words.signedInAs(session.handle)} · ${words.preferences}`}
        onClick={() => setOpen(true)}
      >
        {session.handle} ▾
      </button>
      {isOpen && (
        <PanelDialog title={words.preferences} onClose={() => setOpen(false)}>
          <Person />
          <Choices />
          <div className="buttons">
            <Link to="/passkeys" className="button" onClick={() => setOpen(false)}>
              {words.passkeys.menu}
            </Link>
            <button
              type="button"
              className="button"
              onClick={() => {
                setOpen(false);
                onHelp();
              }}
            >
              {words.showKeys}
            </button>
            <button type="button" className="button" onClick={() => void signOut()}>
              {words.signOut}
            </button>
          </div>
        </PanelDialog>
      )}
    </>
  );
}

function Person() {
  const words = useWords(shellWords);
  const { handle, roles } = useSession();
  return (
    <div>
      <p>
        <strong>{handle}</strong>
      </p>
      <ul className="plain quiet">
        {roles.map(({ role, operation }) => (
          <li key={`${role} ${operation?.id ?? ''}`}>
            {words.roles[role]} · {operation?.name ?? words.everywhere}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Choices() {
  const words = useWords(shellWords);
  const { language, theme, hasKeys } = usePreferences();
  return (
    <div className="fields">
      <label>
        {words.language}
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
        {words.theme}
        <select value={theme} onChange={({ target }) => prefer({ theme: target.value as Preferences['theme'] })}>
          {THEMES.map((name) => (
            <option key={name} value={name}>
              {words.themes[name]}
            </option>
          ))}
        </select>
      </label>
      <label>
        {words.keys}
        <select value={hasKeys ? 'on' : 'off'} onChange={({ target }) => prefer({ hasKeys: target.value === 'on' })}>
          <option value="on">{words.keysOn}</option>
          <option value="off">{words.keysOff}</option>
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
