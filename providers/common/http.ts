// HTTP to a provider: limits of time and size, and the distinction that payouts depend on: whether a failed request
// never left this process or may have arrived. A provider that says `Retry-After` is not called before that time.
import { buildConnector, Client, Pool, type Dispatcher } from 'undici';
import { AsyncLocalStorage } from 'node:async_hooks';

const RESPONSE_MAX_BYTES = 256 * 1024;
const CONNECT_TIMEOUT_MS = 3_000;
const POOL_CONNECTIONS = 64;

/** PEM texts: the client certificate and key, and the provider's certificate authority if it is private. */
export interface HttpTls {
  readonly cert?: string;
  readonly key?: string;
  readonly ca?: string;
}

export interface HttpRequest {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  /** Below the base address, with its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /**
   * For a request that must be sent at most once. It uses a new connection, because a stale kept-alive socket hides
   * whether the request was sent.
   */
  readonly atMostOnce?: MayLeave;
}

/** Asked when the connection is open: the first byte is written as soon as it answers. `false`: nothing is sent. */
export type MayLeave = () => boolean | Promise<boolean>;

/** The reason of a request that could be sent no more when its connection was open. */
const TOO_LATE = 'too_late';

export type HttpAnswer =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** Parsed JSON. */
      readonly body: unknown;
      readonly headers: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'never_left'; readonly reason: string }
  | { readonly kind: 'may_have_arrived'; readonly reason: string };

/** The body of an answer that is not JSON. No schema accepts it. */
const UNREADABLE = Symbol('unreadable');

/** Connections to one address. */
export class HttpConnections {
  readonly #basePath: string;
  readonly #pool: Pool;
  readonly #origin: string;
  readonly #onceOnlyOptions: Client.Options;
  readonly #connect: buildConnector.connector;
  readonly #onceOnly = new Set<Client>();

  constructor(url: string, tls: HttpTls = {}) {
    const address = new URL(url);
    const options = { maxResponseSize: RESPONSE_MAX_BYTES };
    const connect = { timeout: CONNECT_TIMEOUT_MS, ...tls };
    this.#basePath = address.pathname.replace(/\/+$/, '');
    this.#origin = address.origin;
    this.#pool = new Pool(address.origin, { ...options, connect, connections: POOL_CONNECTIONS });
    // In undici, `pipelining: 0` disables keep-alive.
    this.#onceOnlyOptions = { ...options, pipelining: 0 };
    this.#connect = buildConnector(connect);
  }

  /** Sends one request. Never throws for errors of the network or the provider. */
  async send(request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> {
    const note = exchangeNoter();
    if (note === undefined) return this.#sendOne(request, signal);
    const [startedAt, startedMs] = [new Date().toISOString(), performance.now()];
    const answer = await this.#sendOne(request, signal);
    note({
      method: request.method,
      path: templateOf(this.#basePath + request.path),
      status: answer.kind === 'answered' ? answer.status : null,
      fault: answer.kind === 'answered' ? null : `${answer.kind}: ${answer.reason}`,
      startedAt,
      durationMs: Math.round(performance.now() - startedMs),
    });
    return answer;
  }

  async #sendOne(request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> {
    let handedToSocket = false;
    const once = request.atMostOnce === undefined ? null : this.#onceOnlyClient(request.atMostOnce);
    const dispatcher = (once ?? this.#pool).compose(noticeStart(() => (handedToSocket = true)));
    try {
      const response = await dispatcher.request({
        method: request.method,
        path: this.#basePath + request.path || '/',
        headers: { accept: 'application/json', ...request.headers },
        ...(request.body === undefined ? {} : { body: request.body }),
        signal,
      });
      const text = await response.body.text();
      return {
        kind: 'answered',
        status: response.statusCode,
        body: readJson(text) ?? UNREADABLE,
        headers: singleHeaders(response.headers),
      };
    } catch (error) {
      return { kind: handedToSocket ? 'may_have_arrived' : 'never_left', reason: networkReason(error) };
    } finally {
      if (once !== null && this.#onceOnly.delete(once)) void once.destroy();
    }
  }

  /** A connection of its own, which is used only if the request may still leave once it is open. */
  #onceOnlyClient(mayLeave: MayLeave): Client {
    const connect: buildConnector.connector = (options, callback) =>
      this.#connect(options, (error, socket) => {
        if (error !== null) return callback(error, null);
        const refuse = (reason: Error) => {
          socket.destroy();
          callback(reason, null);
        };
        Promise.resolve(mayLeave()).then(
          (may) => (may ? callback(null, socket) : refuse(new TooLateError())),
          (failure: unknown) => refuse(failure instanceof Error ? failure : new Error('not known')),
        );
      });
    const client = new Client(this.#origin, { ...this.#onceOnlyOptions, connect });
    this.#onceOnly.add(client);
    return client;
  }

  /** Running requests end without an answer. */
  async close(): Promise<void> {
    await Promise.all([this.#pool, ...this.#onceOnly].map((connections) => connections.destroy()));
  }
}

/** The reason code of an answer that decides nothing. */
export function inconclusive(answer: HttpAnswer): string {
  return answer.kind === 'answered' ? `http_${answer.status}` : answer.reason;
}

/** The time of the answer by the server's clock, RFC 3339; `null` if it sends none. */
export function dateOf({ headers }: Extract<HttpAnswer, { kind: 'answered' }>): string | null {
  const ms = Date.parse(headers['date'] ?? '');
  return Number.isNaN(ms) ? null : new Date(ms).toISOString();
}

/** Calls `starts` just before the request is written to a connected socket. Before that, nothing was sent. */
function noticeStart(starts: () => void): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) =>
    dispatch(options, {
      onRequestStart(controller, context) {
        starts();
        handler.onRequestStart?.(controller, context);
      },
      onRequestUpgrade: (...args) => handler.onRequestUpgrade?.(...args),
      onResponseStart: (...args) => handler.onResponseStart?.(...args),
      onResponseData: (...args) => handler.onResponseData?.(...args),
      onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
      onResponseError: (...args) => handler.onResponseError?.(...args),
    });
}

class TooLateError extends Error {}

function singleHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
}

const NETWORK_REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_reset',
  EPIPE: 'connection_reset',
  ENOTFOUND: 'name_not_resolved',
  EAI_AGAIN: 'name_not_resolved',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  UND_ERR_CONNECT_TIMEOUT: 'connect_timeout',
  UND_ERR_SOCKET: 'connection_reset',
  UND_ERR_RES_EXCEEDED_MAX_SIZE: 'answer_too_large',
};

/** A short code, never the error's text: texts may contain addresses. */
function networkReason(error: unknown): string {
  if (!(error instanceof Error)) return 'network_error';
  if (error.name === 'TimeoutError') return 'timeout';
  if (error instanceof TooLateError) return TOO_LATE;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  // A name with several addresses fails with one error for all of them.
  if (error instanceof AggregateError && code === '') return networkReason(error.errors[0]);
  if (/^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/.test(code)) return 'tls_error';
  return NETWORK_REASONS[code] ?? 'network_error';
}

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
function exchangeNoter(): NoteExchange | undefined {
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

/** The content without its empty texts; `undefined` if it is not JSON. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text, (_, value: unknown) =>
      typeof value === 'string' && !/\S/.test(value) ? undefined : value,
    );
  } catch {
    return undefined;
  }
}

/**
 * The same of a callback's bytes. Only references are read of it, and they are ASCII: bytes that are no UTF-8, such as
 * a name in ISO-8859-1, become marks in texts that nobody reads.
 */
export function readJsonBytes(bytes: Buffer): unknown {
  return readJson(new TextDecoder('utf-8').decode(bytes));
}

/** A longer wait is more likely a mistake, such as milliseconds, than the provider's wish. */
const LONGEST_WAIT_SECONDS = 3_600;
const SAYING_STATUSES = [429, 503];

/** The seconds in an answer's `Retry-After`, which is a number or a time; `null` without a readable one. */
export function retryAfterSeconds(answer: HttpAnswer, nowMs: number): number | null {
  if (answer.kind !== 'answered') return null;
  const text = answer.headers['retry-after']?.trim() ?? '';
  if (/^\d{1,12}$/.test(text)) return Math.min(Number(text), LONGEST_WAIT_SECONDS);
  const untilMs = httpDate(text);
  if (untilMs === null) return null;
  // The server's clock may differ from ours, and the answer mostly has its time.
  const sentMs = httpDate(answer.headers['date'] ?? '') ?? nowMs;
  return Math.min(Math.max(0, Math.ceil((untilMs - sentMs) / 1_000)), LONGEST_WAIT_SECONDS);
}

/** `Fri, 27 Nov 2026 10:00:00 GMT`. `Date.parse` alone would read many other texts. */
function httpDate(text: string): number | null {
  if (!/^[A-Za-z]{3,9}, \d{2}[ -][A-Za-z]{3}[ -]\d{2,4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) return null;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? null : ms;
}

/** The wait that one account's provider has asked for. */
export class BackPressure {
  #untilMs = 0;

  constructor(private readonly now: () => number) {}

  /** The seconds until the account may call again; 0 if it may. */
  heldSeconds(): number {
    return Math.max(0, Math.ceil((this.#untilMs - this.now()) / 1_000));
  }

  /** What a call gets while it is held: it never leaves. */
  hold(): HttpAnswer | null {
    return this.heldSeconds() > 0 ? { kind: 'never_left', reason: 'told_to_wait' } : null;
  }

  note(answer: HttpAnswer): void {
    if (answer.kind !== 'answered' || !SAYING_STATUSES.includes(answer.status)) return;
    const seconds = retryAfterSeconds(answer, this.now());
    if (seconds !== null) this.#untilMs = Math.max(this.#untilMs, this.now() + seconds * 1_000);
  }

  /** An outcome that decides nothing, with the wait. */
  noted<Outcome extends { readonly kind: string }>(outcome: Outcome): Outcome {
    const seconds = this.heldSeconds();
    return outcome.kind === 'unknown' && seconds > 0 ? { ...outcome, retryAfterSeconds: seconds } : outcome;
  }
}
