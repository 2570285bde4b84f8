// Signing in with a one-time link. Its token stands behind `#`, leaves the address at once, and is sent once.
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { ask } from '../../api/client.js';
import { type Fault, faultOf } from '../../api/faults.js';
import { restartLive } from '../../api/live.js';
import { queryClient } from '../../api/queries.js';
import { noteSession, sessionQuery } from '../../api/session.js';
import { prefer, usePreferences, useWords } from '../../preferences.js';
import { FaultNotice, Loading } from '../../ui/states.js';
import { useTitle } from '../../ui/title.js';
import { shellWords } from '../../words/shell.js';

/** Taken when the script starts, so that no second run of an effect finds it used. */
let token: string | null = null;

/** Takes the token out of the address. */
export function takeToken(): void {
  if (location.pathname !== '/sign-in' || location.hash.length < 2) return;
  token = location.hash.slice(1);
  history.replaceState(null, '', '/sign-in');
}

/** A link that is opened in a tab that shows this page changes nothing but what is behind `#`. */
export function watchLinks(): void {
  window.addEventListener('hashchange', () => {
    if (location.pathname === '/sign-in' && location.hash.length > 1) location.reload();
  });
}

export function SignInPage() {
  const navigate = useNavigate();
  const [fault, setFault] = useState<Fault | null>(null);
  const [isSigningIn] = useState(token !== null);
  useEffect(() => {
    if (token === null) return;
    const link = token;
    token = null;
    ask('signIn', { body: { token: link } }).then(
      (session) => {
        queryClient.clear();
        queryClient.setQueryData(sessionQuery.queryKey, session);
        noteSession();
        restartLive();
        void navigate({ to: '/queue', replace: true });
      },
      (error: unknown) => setFault(faultOf(error)),
    );
  }, [navigate]);
  if (isSigningIn && fault === null) return <Loading />;
  return <SignInHelp fault={fault} />;
}

export function SignInHelp({ fault = null }: { readonly fault?: Fault | null }) {
  const { signIn: words } = useWords(shellWords);
  const { language } = usePreferences();
  useTitle(words.title);
  return (
    <main className="sign-in">
      <div className="sign-in-box">
        <span className="brand-mark" aria-hidden="true" />
        <h1>{words.title}</h1>
        {fault !== null && <FaultNotice fault={fault} />}
        <p>{words.how}</p>
        <p className="quiet">{words.where}</p>
        <pre>
          <code>npm run -s gateway -- staff demo</code>
        </pre>
        <button
          type="button"
          className="button-quiet"
          lang={language === 'en' ? 'pt-BR' : 'en'}
          onClick={() => prefer({ language: language === 'en' ? 'pt-BR' : 'en' })}
        >
          {language === 'en' ? 'Português' : 'English'}
        </button>
      </div>
    </main>
  );
}
