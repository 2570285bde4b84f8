// The calls to one provider: a bearer token on each, fetched and renewed, and a limit of time for the whole call.
import {
  BackPressure,
  dateOf,
  type HttpAnswer,
  HttpConnections,
  type HttpRequest,
  type MayLeave,
} from '../common/http.js';
import type { SignIn } from '../dialect-entry.js';
import type { CallSettings } from '../settings.js';
import type { Dialect } from './dialect.js';
import { tokenAnswer } from './wire.js';

const TOKEN_TIMEOUT_MS = 5_000;
/** A token is not used in its last moments, so that it does not expire during a request. */
const TOKEN_MARGIN_MS = 30_000;

export interface HttpCall {
  readonly method: 'GET' | 'PUT' | 'POST';
  readonly path: string;
  readonly body?: object;
  /** In addition to those of every call. */
  readonly headers?: Readonly<Record<string, string>>;
  /** For the whole call, waiting for a token included. */
  readonly timeoutMs: number;
  /** For a call that must be sent at most once: see `HttpRequest`. It is never repeated with a new token. */
  readonly atMostOnce?: MayLeave;
  /** `true` for a look-up in the key directory, whose budget is its own: its `Retry-After` holds no other call. */
  readonly isOfDirectory?: boolean;
}

type TokenAnswer =
  | { readonly kind: 'token'; readonly value: string }
  | { readonly kind: 'no_token'; readonly reason: string };

export class PixApiClient {
  readonly #config: CallSettings;
  readonly #dialect: Dialect;
  readonly #connections: HttpConnections;
  readonly #tokenConnections: HttpConnections;
  readonly #everyCall: { readonly headers: Readonly<Record<string, string>>; readonly query: string };
  readonly #now: () => number;
  readonly #traceHeaders: () => Readonly<Record<string, string>>;
  readonly backPressure: BackPressure;
  #token: { readonly value: string; readonly usableUntilMs: number } | null = null;
  #tokenInFlight: Promise<TokenAnswer> | null = null;

  constructor(
    config: CallSettings,
    dialect: Dialect,
    now: () => number = Date.now,
    traceHeaders: () => Readonly<Record<string, string>> = () => ({}),
  ) {
    this.#config = config;
    this.#dialect = dialect;
    this.#now = now;
    this.#traceHeaders = traceHeaders;
    this.backPressure = new BackPressure(now);
    this.#connections = new HttpConnections(config.url, config.tls);
    this.#tokenConnections = new HttpConnections(tokenUrlOf(config, dialect), config.tls);
    this.#everyCall = {
      headers: {
        ...config.callHeaders,
        ...(dialect.clientIdHeader === null ? {} : { [dialect.clientIdHeader]: config.clientId ?? '' }),
      },
      query: new URLSearchParams(config.callQuery).toString(),
    };
  }

  /** Makes one call with a bearer token. Never throws for errors of the network or the provider. */
  async call(call: HttpCall): Promise<HttpAnswer> {
    const held = this.backPressure.hold();
    if (held !== null) return held;
    const signal = AbortSignal.timeout(call.timeoutMs);
    const first = await this.#callWithToken(call, signal);
    const mayRepeat = first.kind === 'answered' && first.status === 401 && call.atMostOnce === undefined;
    const answer = mayRepeat ? await this.#callWithToken(call, signal) : first;
    if (call.isOfDirectory !== true) this.backPressure.note(answer);
    return answer;
  }

  /** Requests a new token, and answers what came with it. */
  async signIn(): Promise<SignIn> {
    const answer = await this.#tokenConnections.send(this.#tokenRequest(), AbortSignal.timeout(TOKEN_TIMEOUT_MS));
    if (answer.kind !== 'answered') return { kind: 'unreached', reason: answer.reason };
    if (answer.status !== 200) return { kind: 'refused', reason: `http_${answer.status}` };
    const parsed = tokenAnswer.safeParse(answer.body);
    if (!parsed.success) return { kind: 'refused', reason: 'unreadable_answer' };
    const scopes = parsed.data.scope?.split(' ').filter((scope) => scope !== '') ?? null;
    return { kind: 'signed_in', scopes, at: dateOf(answer) };
  }

  async close(): Promise<void> {
    await Promise.all([this.#connections.close(), this.#tokenConnections.close()]);
  }

  async #callWithToken(call: HttpCall, signal: AbortSignal): Promise<HttpAnswer> {
    const token = await withinSignal(this.#bearerToken(), signal);
    if (token.kind === 'no_token') return { kind: 'never_left', reason: token.reason };
    const request = {
      method: call.method,
      path: withQuery(call.path, this.#everyCall.query),
      headers: {
        ...this.#traceHeaders(),
        ...this.#everyCall.headers,
        ...call.headers,
        authorization: `Bearer ${token.value}`,
        ...(call.body ? { 'content-type': 'application/json' } : {}),
      },
      ...(call.body ? { body: JSON.stringify(call.body) } : {}),
      ...(call.atMostOnce ? { atMostOnce: call.atMostOnce } : {}),
    };
    const answer = await this.#connections.send(request, signal);
    // A refused token is dropped, unless another call has already replaced it.
    if (answer.kind === 'answered' && answer.status === 401 && this.#token?.value === token.value) this.#token = null;
    return answer;
  }

  async #bearerToken(): Promise<TokenAnswer> {
    if (this.#token && this.#token.usableUntilMs > this.#now()) return { kind: 'token', value: this.#token.value };
    this.#tokenInFlight ??= this.#fetchToken().finally(() => (this.#tokenInFlight = null));
    return this.#tokenInFlight;
  }

  async #fetchToken(): Promise<TokenAnswer> {
    const askedAtMs = this.#now();
    const answer = await this.#tokenConnections.send(this.#tokenRequest(), AbortSignal.timeout(TOKEN_TIMEOUT_MS));
    this.backPressure.note(answer);
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

  #tokenRequest(): HttpRequest {
    const { credentials, encoding } = this.#dialect.token;
    const { clientId, clientSecret } = this.#config;
    const scope = this.#config.scopes ?? this.#dialect.token.scopes;
    const fields = {
      grant_type: 'client_credentials',
      ...(credentials === 'basic' ? {} : { client_id: clientId ?? '' }),
      ...(credentials === 'body' ? { client_secret: clientSecret } : {}),
      ...(scope === null ? {} : { scope }),
    };
    const basic = Buffer.from(`${encodeURIComponent(clientId ?? '')}:${encodeURIComponent(clientSecret)}`).toString(
      'base64',
    );
    return {
      method: 'POST',
      path: '',
      headers: {
        'content-type': encoding === 'json' ? 'application/json' : 'application/x-www-form-urlencoded',
        ...(credentials === 'basic' ? { authorization: `Basic ${basic}` } : {}),
      },
      body: encoding === 'json' ? JSON.stringify(fields) : new URLSearchParams(fields).toString(),
    };
  }
}

/** As configured, or below the base address, or at the root of its host. */
function tokenUrlOf({ url, tokenUrl }: CallSettings, { token: { at } }: Dialect): string {
  if (tokenUrl !== undefined) return tokenUrl;
  if (at === null) throw new Error('a dialect whose tokens come from another host needs its address');
  return at.of === 'host' ? new URL(at.path, url).href : url + at.path;
}

function withQuery(path: string, query: string): string {
  if (query === '') return path;
  return `${path}${path.includes('?') ? '&' : '?'}${query}`;
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
