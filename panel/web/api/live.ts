// The stream's state for the page: counters, and whether the connection is open.
import { useSyncExternalStore } from 'react';
import type { Counters } from '../../../contract/panel/schemas/operations.js';
import { atMostEvery } from './at-most-every.js';
import { ask } from './client.js';
import { codeOf } from './faults.js';
import { LiveConnection, type LiveMessage, type TabMessage } from './live-worker.js';
import { refreshShown } from './queries.js';

/** Put in by the build: where the shared worker's script is. */
declare const __LIVE_WORKER__: string;

export interface Live {
  readonly connection: 'connecting' | 'open' | 'lost';
  readonly counters: Counters | null;
}

/** The page's content is reloaded at most this often. */
const REFRESH_EVERY_MS = 3_000;

let live: Live = { connection: 'connecting', counters: null };
let post: ((message: TabMessage) => void) | undefined;
const listeners = new Set<() => void>();
const refreshSoon = atMostEvery(REFRESH_EVERY_MS, () => void refreshShown());

export function useLive(): Live {
  return useSyncExternalStore(subscribe, () => live);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function set(next: Partial<Live>): void {
  live = { ...live, ...next };
  listeners.forEach((listener) => listener());
}

/** Connects once for the life of the tab. */
export function startLive(): void {
  if (post !== undefined) return;
  post = typeof SharedWorker === 'undefined' ? ownConnection() : sharedConnection();
  post('open');
  window.addEventListener('pagehide', () => post?.('close'));
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) post?.('open');
  });
}

/** The session changed: the connection begins again with it. */
export function restartLive(): void {
  set({ connection: 'connecting', counters: null });
  if (post === undefined) startLive();
  else post('sign_in');
}

function sharedConnection(): (message: TabMessage) => void {
  const { port } = new SharedWorker(__LIVE_WORKER__, { type: 'module', name: 'live' });
  port.onmessage = ({ data }: MessageEvent<LiveMessage>) => receive(data);
  return (message) => port.postMessage(message);
}

function ownConnection(): (message: TabMessage) => void {
  const connection = new LiveConnection(receive);
  return (message) => {
    if (message === 'open') connection.open();
    else if (message === 'sign_in') connection.restart();
    else connection.close();
  };
}

/** The first counters are news too: what is shown was read before them. */
function isNews(counters: Counters): boolean {
  return JSON.stringify(counters) !== JSON.stringify(live.counters);
}

function receive(message: LiveMessage): void {
  if (message.kind === 'counters') {
    if (isNews(message.counters) || live.connection === 'lost') refreshSoon();
    set({ counters: message.counters, connection: 'open' });
    return;
  }
  if (message.state === 'ended') return void checkSession();
  // Updates may have been missed in the meantime.
  if (message.state === 'open' && live.connection === 'lost') refreshSoon();
  set({ connection: message.state });
}

/** A stream may end for another reason than its session: a person who is still signed in connects again. */
async function checkSession(): Promise<void> {
  const error: unknown = await ask('readSession', {}).then(
    () => null,
    (fault: unknown) => fault,
  );
  // The answer itself has notified the page that the session is over.
  if (codeOf(error) === 'not_signed_in') return;
  set({ connection: 'lost' });
  setTimeout(() => post?.('open'), REFRESH_EVERY_MS);
}
