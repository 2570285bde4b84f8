// What a call to a provider sent and got over HTTP, for the timeline of its payment: never a body, a query or a header.
import { AsyncLocalStorage } from 'node:async_hooks';

export interface HttpExchange {
  readonly method: string;
  /** With `{…}` for each part that is not a plain word. */
  readonly path: string;
  /** `null` if there was no answer. */
  readonly status: number | null;
  /** Why there was none. */
  readonly fault: string | null;
  /** RFC 3339. */
  readonly startedAt: string;
  readonly durationMs: number;
}

type NoteExchange = (exchange: HttpExchange) => void;

const NOTING = new AsyncLocalStorage<NoteExchange>();

/** Makes a call whose requests are noted. */
export function notingExchanges<Answer>(note: NoteExchange, call: () => Promise<Answer>): Promise<Answer> {
  return NOTING.run(note, call);
}

/** Who notes the requests of the call that runs now. */
export function exchangeNoter(): NoteExchange | undefined {
  return NOTING.getStore();
}

/**
 * A path without what names a payment or a person. Keys, documents and ids have digits, capitals or `@`; words of a
 * provider's paths have none.
 */
export function templateOf(path: string): string {
  const [plain = ''] = path.split(/[?#]/);
  return plain
    .split('/')
    .map((part) => (/^(?:[a-z]{1,20}(?:-[a-z]{1,20}){0,2}|v[0-9]{1,2}|)$/.test(part) ? part : '{…}'))
    .join('/');
}
