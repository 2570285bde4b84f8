// Who is signed in, and whether the session has ended under an open page.
import { useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import type { StaffRole } from '../../../domain/staff.js';
import type { Answered } from '../../../contract/panel/routes.js';
import { onSessionEnd } from './client.js';
import { read } from './queries.js';

export type Session = Answered<'readSession'>;

export const sessionQuery = {
  ...read('readSession', {}),
  staleTime: Number.POSITIVE_INFINITY,
  refetchOnWindowFocus: false,
};

let hasEnded = false;
const listeners = new Set<() => void>();

onSessionEnd(() => setEnded(true));

function setEnded(ended: boolean): void {
  if (hasEnded === ended) return;
  hasEnded = ended;
  listeners.forEach((listener) => listener());
}

export const noteSession = () => setEnded(false);

/** Whether the panel reported that the session has ended. The page's content stays. */
export function useSessionEnded(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => hasEnded,
  );
}

/** The session of the person who views a page. */
export function useSession(): Session {
  const { data } = useQuery(sessionQuery);
  if (data === undefined) throw new Error('a page without a session');
  return data;
}

/** Whether one of these roles is held anywhere. */
export function holds({ roles }: Session, enough: readonly StaffRole[]): boolean {
  return roles.some(({ role }) => enough.includes(role));
}
