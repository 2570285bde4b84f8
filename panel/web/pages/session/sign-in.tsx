// Signing in: with a passkey, at the company's identity provider, or with a one-time link. Values that a link or the
// provider put into the address are removed from it at once. Where links do not sign in, a link lets a person create
// their first passkey.
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import type { Answered } from '../../../../contract/panel/routes.js';
import { ask } from '../../api/client.js';
import { codeOf, type Fault, faultOf } from '../../api/faults.js';
import { restartLive } from '../../api/live.js';
import { enrol, hasPasskeys, signInByPasskey } from '../../api/passkeys.js';
import { firstPage } from '../../app/pages.js';
import { queryClient, read } from '../../api/queries.js';
import { noteSession, type Session, sessionQuery } from '../../api/session.js';
import { prefer, usePreferences, useTexts } from '../../preferences.js';
import { FaultNotice, Loading } from '../../ui/states.js';
import { useTitle } from '../../ui/title.js';
import { shellTexts } from '../../texts/shell.js';
import { PasskeyForm } from './passkey-form.js';

/** Taken when the script starts, so that no second run of an effect finds it used. */
let token: string | null = null;
/** The same of what the identity provider answers. */
let answer: string | null = null;

/** Takes the token, or the provider's answer, out of the address. */
export function takeToken(): void {
  if (location.pathname !== '/sign-in') return;
  if (new URLSearchParams(location.search).has('state')) answer = location.search.slice(1);
  else if (location.hash.length > 1) token = location.hash.slice(1);
  else return;
  history.replaceState(null, '', '/sign-in');
}

/** A link that is opened in a tab that shows this page changes only the part behind `#`. */
export function watchLinks(): void {
  window.addEventListener('hashchange', () => {
    if (location.pathname === '/sign-in' && location.hash.length > 1) location.reload();
  });
}

const SIGN_IN = read('readSignIn', {});

type Enrolment = Answered<'askEnrolment'> & { readonly token: string };

export function SignInPage() {
  const navigate = useNavigate();
  const [fault, setFault] = useState<Fault | null>(null);
  const [enrolment, setEnrolment] = useState<Enrolment | null>(null);
  const [isSigningIn, setSigningIn] = useState(token !== null || answer !== null);
  const enter = useCallback(
    (session: Session) => {
      queryClient.clear();
      queryClient.setQueryData(sessionQuery.queryKey, session);
      noteSession();
      restartLive();
      void navigate({ to: firstPage(session), replace: true });
    },
    [navigate],
  );
  const fail = useCallback((error: unknown) => {
    setFault(faultOf(error));
    setSigningIn(false);
  }, []);
  useEffect(() => {
    if (answer !== null) {
      const given = answer;
      answer = null;
      ask('signInByProvider', { body: { answer: given } }).then(enter, fail);
    }
    if (token === null) return;
    const link = token;
    token = null;
    ask('signIn', { body: { token: link } }).then(enter, (error: unknown) => {
      if (codeOf(error) !== 'link_not_valid' || !hasPasskeys()) return fail(error);
      // It may be one that only makes a first passkey.
      ask('askEnrolment', { body: { token: link } }).then((asked) => setEnrolment({ ...asked, token: link }), fail);
    });
  }, [enter, fail]);
  if (enrolment !== null) return <FirstPasskey enrolment={enrolment} onSession={enter} />;
  if (isSigningIn) return <Loading />;
  const choose = () => {
    setFault(null);
    signInByPasskey().then(enter, fail);
  };
  const goToProvider = () => {
    setFault(null);
    ask('askProvider', {}).then(({ address }) => location.assign(address), fail);
  };
  return <SignInHelp fault={fault} onPasskey={choose} onProvider={goToProvider} />;
}

interface FirstPasskeyProps {
  readonly enrolment: Enrolment;
  readonly onSession: (session: Session) => void;
}

/** The link is used up only when the passkey is created: a person who cancels may try again. */
function FirstPasskey({ enrolment, onSession }: FirstPasskeyProps) {
  const { passkeys: texts } = useTexts(shellTexts);
  const [fault, setFault] = useState<Fault | null>(null);
  const [waiting, setWaiting] = useState<string | null>(null);
  useTitle(texts.firstTitle);
  const enter = ({ session, fingerprint }: Answered<'enrol'>) =>
    session === null ? setWaiting(fingerprint) : onSession(session);
  if (waiting !== null)
    return (
      <SignInBox title={texts.firstTitle}>
        <p role="status">{texts.waitsForAnother}</p>
        <pre>
          <code>{waiting}</code>
        </pre>
      </SignInBox>
    );
  return (
    <SignInBox title={texts.firstTitle}>
      {fault !== null && <FaultNotice fault={fault} />}
      <p>{texts.firstHow}</p>
      <PasskeyForm
        onName={async (name) => {
          setFault(null);
          await enrol(enrolment.token, enrolment, name).then(enter, (error: unknown) => setFault(faultOf(error)));
        }}
      />
    </SignInBox>
  );
}

interface SignInHelpProps {
  readonly fault?: Fault | null;
  readonly onPasskey?: () => void;
  readonly onProvider?: () => void;
}

export function SignInHelp({ fault = null, onPasskey, onProvider }: SignInHelpProps) {
  const { signIn: texts } = useTexts(shellTexts);
  const navigate = useNavigate();
  const { data } = useQuery(SIGN_IN);
  const hasProvider = data?.means.includes('oidc') === true;
  const goThere = () => void navigate({ to: '/sign-in' });
  useTitle(texts.title);
  return (
    <SignInBox title={texts.title}>
      {fault !== null && <FaultNotice fault={fault} />}
      {fault?.kind === 'refused' && fault.error.subject !== undefined && <p>{texts.subject(fault.error.subject)}</p>}
      {(hasPasskeys() || hasProvider) && (
        <div className="buttons">
          {hasPasskeys() && (
            <button type="button" className="button button-good" onClick={onPasskey ?? goThere}>
              {texts.byPasskey}
            </button>
          )}
          {hasProvider && (
            <button type="button" className="button" onClick={onProvider ?? goThere}>
              {texts.byProvider}
            </button>
          )}
        </div>
      )}
      <p>{texts.how}</p>
      {data?.means.includes('link') === true && (
        <>
          <p className="quiet">{texts.where}</p>
          <pre>
            <code>npm run -s gateway -- staff demo</code>
          </pre>
        </>
      )}
    </SignInBox>
  );
}

function SignInBox({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const { language } = usePreferences();
  return (
    <main className="sign-in">
      <div className="sign-in-box">
        <span className="brand-mark" aria-hidden="true" />
        <h1>{title}</h1>
        {children}
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
