// The one connection of a browser to the panel's stream, shared by its tabs. It runs as a shared worker; a browser
// without them runs the same code in each tab.
import type { Counters } from '../../../contract/panel/schemas/operations.js';

export type LiveMessage =
  | { readonly kind: 'counters'; readonly counters: Counters }
  | { readonly kind: 'connection'; readonly state: 'open' | 'lost' | 'ended' };

/** Messages of a tab: it is open; a person has signed in; it closes. */
export type TabMessage = 'open' | 'sign_in' | 'close';

const STREAM = '/api/stream';
const RETRY_MS = 5_000;

export class LiveConnection {
  readonly #deliver: (message: LiveMessage) => void;
  #source: EventSource | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #last: LiveMessage[] = [];

  constructor(deliver: (message: LiveMessage) => void) {
    this.#deliver = deliver;
  }

  /** The state that a tab needs when it opens later. */
  get last(): readonly LiveMessage[] {
    return this.#last;
  }

  open(): void {
    if (this.#source === undefined) this.#connect();
  }

  /** With the session of the person who has just signed in. */
  restart(): void {
    this.close();
    this.#connect();
  }

  close(): void {
    clearTimeout(this.#retry);
    this.#source?.close();
    this.#source = undefined;
    this.#last = [];
  }

  #connect(): void {
    const source = new EventSource(STREAM);
    this.#source = source;
    source.addEventListener('open', () => this.#say({ kind: 'connection', state: 'open' }));
    source.addEventListener('counters', (event: MessageEvent<string>) =>
      this.#say({ kind: 'counters', counters: JSON.parse(event.data) as Counters }),
    );
    // The panel answers without the counters, because its database is down.
    source.addEventListener('away', () => this.#say({ kind: 'connection', state: 'lost' }));
    source.addEventListener('ended', () => {
      this.close();
      this.#say({ kind: 'connection', state: 'ended' });
    });
    source.addEventListener('error', () => {
      this.#say({ kind: 'connection', state: 'lost' });
      // A browser gives up after an answer that is no stream: the panel may be starting.
      if (source.readyState !== EventSource.CLOSED) return;
      this.#source = undefined;
      this.#retry = setTimeout(() => this.open(), RETRY_MS);
    });
  }

  #say(message: LiveMessage): void {
    this.#last = [...this.#last.filter(({ kind }) => kind !== message.kind), message];
    this.#deliver(message);
  }
}

/** The used part of a shared worker's global scope; the compiler's types cover the page only. */
interface SharedScope {
  onconnect: ((event: MessageEvent) => void) | null;
}

function shareWithTabs(scope: SharedScope): void {
  const ports = new Set<MessagePort>();
  const connection = new LiveConnection((message) => ports.forEach((port) => port.postMessage(message)));
  const messages: Readonly<Record<TabMessage, (port: MessagePort) => void>> = {
    open: (port) => {
      connection.open();
      connection.last.forEach((message) => port.postMessage(message));
    },
    sign_in: () => connection.restart(),
    close: (port) => {
      ports.delete(port);
      if (ports.size === 0) connection.close();
    },
  };
  scope.onconnect = ({ ports: [port] }) => {
    if (port === undefined) return;
    ports.add(port);
    port.onmessage = ({ data }: MessageEvent<TabMessage>) => messages[data](port);
  };
}

if (typeof window === 'undefined') shareWithTabs(globalThis as unknown as SharedScope);
