// The pages of the menu, with the letter that opens each after G, and who may read them.
import { READERS } from '../api/endpoints.js';
import { holds, type Session } from '../api/session.js';
import type { shellTexts } from '../texts/shell.js';

export type PageName = keyof (typeof shellTexts)['en']['pages'];

const PAGES = [
  { name: 'queue', to: '/queue', key: 'q' },
  { name: 'shift', to: '/shift', key: 't' },
  { name: 'payments', to: '/payments', key: 'y' },
  { name: 'approvals', to: '/approvals', key: 'a' },
  { name: 'alerts', to: '/alerts', key: 'l' },
  { name: 'search', to: '/search', key: 's' },
  { name: 'rules', to: '/rules', key: 'r' },
  { name: 'access', to: '/access', key: 'c' },
  { name: 'money', to: '/money', key: 'm' },
  { name: 'webhooks', to: '/webhooks', key: 'w' },
  { name: 'integration', to: '/integration', key: 'i' },
  { name: 'questions', to: '/questions', key: 'n' },
  { name: 'staff', to: '/staff', key: 'p' },
  { name: 'audit', to: '/audit', key: 'u' },
] as const satisfies readonly { name: PageName; to: string; key: string }[];

/** The pages that the person may read somewhere. */
export function pagesFor(session: Session) {
  return PAGES.filter(({ name }) => {
    const readers = Object.hasOwn(READERS, name) ? READERS[name as keyof typeof READERS] : null;
    return readers === null || holds(session, readers);
  });
}

/** Where a person begins: the first page of their menu. */
export function firstPage(session: Session) {
  return pagesFor(session)[0]?.to ?? '/passkeys';
}
