// HTTP client of one provider: bearer token, limits of time and size, and the distinction that payouts depend on:
// whether a failed request never left this process or may have arrived.
import { Pool, type Dispatcher } from 'undici';
import type { CallSettings } from '../settings.js';
import type { Dialect } from './dialect.js';
import { tokenAnswer } from './wire.js';

const RESPONSE_MAX_BYTES = 256 * 1024;
const CONNECT_TIMEOUT_MS = 3_000;
const TOKEN_TIMEOUT_MS = 5_000;
const POOL_CONNECTIONS = 64;
/** A token is not used in its last moments, so that it does not expire during a request. */
const TOKEN_MARGIN_MS = 30_000;

export interface HttpCall {
  readonly method: 'GET' | 'PUT' | 'POST';
  readonly path: string;
  readonly body?: object;
  /** For the whole call, waiting for a token included. */
  readonly timeoutMs: number;
  /**
   * `true` for a call that must be sent at most once. It uses a new connection, because a stale kept-alive socket hides
   * whether the request was sent, and it is never repeated with a new token.
   */
  readonly atMostOnce?: boolean;
}

export type HttpAnswer =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly body: unknown;
      readonly headers: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'never_left'; readonly reason: string }
  | { readonly kind: 'may_have_arrived'; readonly reason: string };

type TokenAnswer =
  { readonly kind: 'token'; readonly value: string } | { readonly kind: 'no_token'; readonly reason: string };

/** The body of an answer that is not JSON. No schema accepts it. */
const UNREADABLE = Symbol('unreadable');

export class PixApiClient {
  readonly #config: CallSettings;
  readonly #dialect: Dialect;
  readonly #basePath: string;
  readonly #pool: Pool;
  readonly #onceOnlyPool: Pool;
  readonly #now: () => number;
  readonly #traceHeaders: () => Readonly<Record<string, string>>;
  #token: { readonly value: string; readonly usableUntilMs: number } | null = null;
  #tokenInFlight: Promise<TokenAnswer> | null = null;

  constructor(
    config: CallSettings,
    dialect: Dialect,
    now: () => number = Date.now,
    traceHeaders: () => Readonly<Record<string, string>> = () => ({}),
  ) {
    const address = new URL(config.url);
    const options = {
      connections: POOL_CONNECTIONS,
      maxResponseSize: RESPONSE_MAX_BYTES,
      connect: { timeout: CONNECT_TIMEOUT_MS, ...config.tls },
    };
    this.#config = config;
    this.#dialect = dialect;
    this.#now = now;
    this.#traceHeaders = traceHeaders;
    this.#basePath = address.pathname.replace(/\/+$/, '');
    this.#pool = new Pool(address.origin, options);
    // In undici, `pipelining: 0` disables keep-alive.
    this.#onceOnlyPool = new Pool(address.origin, { ...options, pipelining: 0 });
  }

  /** Makes one call with a bearer token. Never throws for errors of the network or the provider. */
  async call(call: HttpCall): Promise<HttpAnswer> {
    const signal = AbortSignal.timeout(call.timeoutMs);
    const answer = await this.#callWithToken(call, signal);
    const mayRepeat = answer.kind === 'answered' && answer.status === 401 && call.atMostOnce !== true;
    return mayRepeat ? this.#callWithToken(call, signal) : answer;
  }

  async close(): Promise<void> {
    await Promise.all([this.#pool.destroy(), this.#onceOnlyPool.destroy()]);
  }

  async #callWithToken(call: HttpCall, signal: AbortSignal): Promise<HttpAnswer> {
    const token = await withinSignal(this.#bearerToken(), signal);
    if (token.kind === 'no_token') return { kind: 'never_left', reason: token.reason };
    const answer = await this.#send(call.atMostOnce === true ? this.#onceOnlyPool : this.#pool, signal, {
      method: call.method,
      path: this.#basePath + call.path,
      headers: {
        ...this.#traceHeaders(),
        authorization: `Bearer ${token.value}`,
        ...(call.body ? { 'content-type': 'application/json' } : {}),
      },
      ...(call.body ? { body: JSON.stringify(call.body) } : {}),
    });
    // A refused token is dropped, unless another call has already replaced it.
    if (answer.kind === 'answered' && answer.status === 401 && this.#token?.value === token.value) this.#token = null;
    return answer;
  }

  async #send(
    pool: Pool,
    signal: AbortSignal,
    request: Pick<Dispatcher.RequestOptions, 'method' | 'path' | 'headers' | 'body'>,
  ): Promise<HttpAnswer> {
    let handedToSocket = false;
    const dispatcher = pool.compose(noticeStart(() => (handedToSocket = true)));
    try {
      const response = await dispatcher.request({
        ...request,
        headers: { accept: 'application/json', ...(request.headers as object) },
        signal,
      });
      const text = await response.body.text();
      return {
        kind: 'answered',
        status: response.statusCode,
        body: parseJson(text),
        headers: singleHeaders(response.headers),
      };
    } catch (error) {
      return { kind: handedToSocket ? 'may_have_arrived' : 'never_left', reason: networkReason(error) };
    }
  }

  async #bearerToken(): Promise<TokenAnswer> {
    if (this.#token && this.#token.usableUntilMs > this.#now()) return { kind: 'token', value: this.#token.value };
    this.#tokenInFlight ??= this.#fetchToken().finally(() => (this.#tokenInFlight = null));
    return this.#tokenInFlight;
  }

  async #fetchToken(): Promise<TokenAnswer> {
    const askedAtMs = this.#now();
    const answer = await this.#send(this.#pool, AbortSignal.timeout(TOKEN_TIMEOUT_MS), this.#tokenRequest());
    if (answer.kind !== 'answered') return { kind: 'no_token', reason: `token_${answer.reason}` };
    if (answer.status !== 200) return { kind: 'no_token', reason: `token_http_${answer.status}` };
    const parsed = tokenAnswer.safeParse(answer.body);
    if (!parsed.success) return { kind: 'no_token', reason: 'token_unreadable' };
    const lifetimeMs = parsed.data.expires_in * 1_000;
    this.#token = {
      value: parsed.data.access_token,
      usableUntilMs: askedAtMs + lifetimeMs - Math.min(TOKEN_MARGIN_MS, lifetimeMs / 2),
    };
    return { kind: 'token', value: parsed.data.access_token };
  }

  #tokenRequest() {
    const { path, credentials, encoding } = this.#dialect.token;
    const { clientId, clientSecret } = this.#config;
    const fields = {
      grant_type: 'client_credentials',
      ...(credentials === 'body' ? { client_id: clientId ?? '', client_secret: clientSecret } : {}),
    };
    const basic = Buffer.from(`${encodeURIComponent(clientId ?? '')}:${encodeURIComponent(clientSecret)}`).toString(
      'base64',
    );
    return {
      method: 'POST' as const,
      path: this.#basePath + path,
      headers: {
        'content-type': encoding === 'json' ? 'application/json' : 'application/x-www-form-urlencoded',
        ...(credentials === 'basic' ? { authorization: `Basic ${basic}` } : {}),
      },
      body: encoding === 'json' ? JSON.stringify(fields) : new URLSearchParams(fields).toString(),
    };
  }
}

/** Calls `started` just before the request is written to a connected socket. Before that, nothing was sent. */
function noticeStart(started: () => void): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) =>
    dispatch(options, {
      onRequestStart(controller, context) {
        started();
        handler.onRequestStart?.(controller, context);
      },
      onRequestUpgrade: (...args) => handler.onRequestUpgrade?.(...args),
      onResponseStart: (...args) => handler.onResponseStart?.(...args),
      onResponseData: (...args) => handler.onResponseData?.(...args),
      onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
      onResponseError: (...args) => handler.onResponseError?.(...args),
    });
}

/** Waits for the shared token request within the time limit of one caller. The request itself continues. */
async function withinSignal(token: Promise<TokenAnswer>, signal: AbortSignal): Promise<TokenAnswer> {
  const late: TokenAnswer = { kind: 'no_token', reason: 'token_timeout' };
  if (signal.aborted) return late;
  let giveUp = (): void => undefined;
  const aborted = new Promise<TokenAnswer>((resolve) => (giveUp = () => resolve(late)));
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    return await Promise.race([token, aborted]);
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return UNREADABLE;
  }
}

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
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  // A name with several addresses fails with one error for all of them.
  if (error instanceof AggregateError && code === '') return networkReason(error.errors[0]);
  if (/^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/.test(code)) return 'tls_error';
  return NETWORK_REASONS[code] ?? 'network_error';
}
