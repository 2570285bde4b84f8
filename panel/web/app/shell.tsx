// The frame around every page: menu with counters, who is signed in, preferences, the state of the connection.
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { codeOf } from '../api/faults.js';
import { startLive, useLive } from '../api/live.js';
import { READERS } from '../api/endpoints.js';
import { holds, sessionQuery, useSession } from '../api/session.js';
import { useTexts } from '../preferences.js';
import { SignInHelp } from '../pages/session/sign-in.js';
import { SessionEnded } from '../pages/session/ended.js';
import { useFocusPlace } from '../ui/focus-place.js';
import { useKeys, useSequences } from '../ui/keys.js';
import { Loaded } from '../ui/states.js';
import { ToastPlace } from '../ui/toast.js';
import { shellTexts } from '../texts/shell.js';
import { type PageName, pagesFor } from './pages.js';
import { Palette, usePaletteKey } from './palette.js';
import { PreferencesMenu } from './preferences-menu.js';
import { ShortcutsDialog } from './shortcuts.js';

/** Pages that need a session; people without one see the sign-in page. */
export function Gate() {
  const query = useQuery(sessionQuery);
  if (query.data === undefined && codeOf(query.error) === 'not_signed_in') return <SignInHelp />;
  return <Loaded query={query}>{() => <Shell />}</Loaded>;
}

function Shell() {
  const texts = useTexts(shellTexts);
  const [isHelpOpen, setHelpOpen] = useState(false);
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  const navigate = useNavigate();
  const session = useSession();
  useEffect(startLive, []);
  useSequences();
  usePaletteKey(() => setPaletteOpen(true));
  useKeys({
    '?': () => setHelpOpen(true),
    ...(holds(session, READERS.search) ? { '/': () => void navigate({ to: '/search' }) } : {}),
    ...Object.fromEntries(pagesFor(session).map(({ key, to }) => [`g ${key}`, () => void navigate({ to })])),
  });
  return (
    <div className="shell">
      <a className="skip" href="#content">
        {texts.skip}
      </a>
      <Sidebar onHelp={() => setHelpOpen(true)} />
      <Content>
        <ConnectionNotice />
        <Outlet />
      </Content>
      <ToastPlace />
      {isPaletteOpen && <Palette onHelp={() => setHelpOpen(true)} onClose={() => setPaletteOpen(false)} />}
      {isHelpOpen && <ShortcutsDialog onClose={() => setHelpOpen(false)} />}
      <SessionEnded />
    </div>
  );
}

function Sidebar({ onHelp }: { readonly onHelp: () => void }) {
  const texts = useTexts(shellTexts);
  const session = useSession();
  const { counters } = useLive();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const menu = useRef<HTMLElement>(null);
  const areCounted = counters !== null;
  // In a narrow window the menu is a line that scrolls, and grows when its numbers come.
  useEffect(() => {
    const current = menu.current?.querySelector('[aria-current="page"]');
    current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [path, areCounted]);
  const counts: Partial<Record<PageName, number>> =
    counters === null
      ? {}
      : {
          queue: counters.waiting,
          approvals: counters.approvals,
          alerts: counters.alerts,
          questions: counters.questions,
        };
  return (
    <header className="sidebar">
      <div className="brand">
        <span className="brand-mark" aria-hidden="true" />
        <span className="brand-name">{texts.title}</span>
        <span className={`chip chip-${session.environment === 'production' ? 'bad' : 'plain'}`}>
          {texts.environment[session.environment]}
        </span>
      </div>
      <nav aria-label={texts.menu} ref={menu}>
        <ul>
          {pagesFor(session).map(({ name, to }) => (
            <li key={name}>
              <Link to={to} activeProps={{ 'aria-current': 'page' }}>
                <span>{texts.pages[name]}</span>
                {(counts[name] ?? 0) > 0 && <span className="count">{counts[name]}</span>}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className="sidebar-end">
        <ConnectionState />
        <PreferencesMenu onHelp={onHelp} />
      </div>
    </header>
  );
}

function Content({ children }: { readonly children: ReactNode }) {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const element = useRef<HTMLElement>(null);
  useFocusPlace(element, path);
  return (
    <main id="content" className="content" ref={element} tabIndex={-1}>
      {children}
    </main>
  );
}

function ConnectionState() {
  const texts = useTexts(shellTexts);
  const { connection } = useLive();
  const text = connection === 'open' ? texts.connection.open : texts.connection.connecting;
  return (
    <span className="connection" data-state={connection}>
      <span className="dot" aria-hidden="true" />
      {text}
    </span>
  );
}

function ConnectionNotice() {
  const texts = useTexts(shellTexts);
  const { connection, counters } = useLive();
  const isOnline = useOnline();
  const areProcessesAway = counters?.processes_answer === false;
  if (isOnline && connection !== 'lost' && !areProcessesAway) return null;
  const online = connection === 'lost' ? texts.connection.lost : texts.processesAway;
  return (
    <div className="notice notice-wait" role="status">
      <p>{isOnline ? online : texts.offline}</p>
    </div>
  );
}

function useOnline(): boolean {
  const [isOnline, setOnline] = useState(navigator.onLine);
  useEffect(() => {
    const update = () => setOnline(navigator.onLine);
    window.addEventListener('online', update);
    window.addEventListener('offline', update);
    return () => {
      window.removeEventListener('online', update);
      window.removeEventListener('offline', update);
    };
  }, []);
  return isOnline;
}
