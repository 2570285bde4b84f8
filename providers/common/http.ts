// HTTP to a provider: limits of time and size, and the distinction that payouts depend on: whether a failed request
// never left this process or may have arrived.
import { buildConnector, Client, Pool, type Dispatcher } from 'undici';
import { exchangeNoter, templateOf } from './exchanges.js';
import { readJson } from './json.js';

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
