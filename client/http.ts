// Sends signed requests: the body is serialised once, every attempt has its own signature, and repeats follow the
// repetition rule.
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ClientTls, openConnections, type RawAnswer } from './connections.js';
import { NoAnswerError, ProblemError, type ReceivedProblem } from './errors.js';
import { parseRetryAfter, pauseBeforeRepeatMs, verdictOf } from './repetition.js';
import { signatureHeaders } from './signing.js';
import type { SigningKey } from './signing.js';
import type { FieldError } from './types.js';
import type { EndpointKind } from './verdicts.js';

export interface TransportOptions extends SigningKey {
  /** The service's address, ending in `/v1`. */
  readonly baseUrl: string;
  /** For one attempt, from connecting to the last byte of the answer. Default 10 s. */
  readonly timeoutMs?: number;
  /** Default 6, the first included. */
  readonly maxAttempts?: number;
  /** No further attempt is started later than this after the call began. Default 60 s. */
  readonly giveUpAfterMs?: number;
  /** The operation's client certificate, which production's TLS edge demands. */
  readonly tls?: ClientTls;
  /** Sent with every request, such as `Sandbox-Later-Version` in a test. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Called for each request: the trace id (32 lower-case hex characters) of your own trace, under which the gateway
   * then records its part.
   */
  readonly traceId?: () => string | undefined;
  /** Time and chance, replaceable in tests. */
  readonly clock?: TransportClock;
}

export interface TransportClock {
  nowMs(): number;
  /** Rejects when the signal aborts. */
  pause(milliseconds: number, signal: AbortSignal): Promise<unknown>;
  /** A number in [0, 1). */
  random(): number;
}

export type QueryValue = string | number | undefined;

export interface GatewayRequest {
  /** What the request is about (`read` is a GET, the others POSTs): it decides what a refusal means for the payment. */
  readonly endpoint: EndpointKind;
  /** Below the base address, already percent-encoded: see `pathOf`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, QueryValue>>;
  /** Serialised once as JSON; absent means an empty body. */
  readonly body?: unknown;
  /** Required on every POST; the same key and body make a repeat safe, also from another process. */
  readonly idempotencyKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface GatewayResponse<Body> {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Body;
  /** Whether this is the recorded answer of an earlier request with the same key. */
  readonly replayed: boolean;
}

export interface Transport {
  /**
   * Sends one request and repeats it while the answer is not a decision. Resolves with the 2xx answer; throws
   * ProblemError for a problem and NoAnswerError if no usable answer came.
   */
  send<Body>(request: GatewayRequest): Promise<GatewayResponse<Body>>;
  /** Lets requests under way finish, but repeats nothing any more. The transport cannot be used afterwards. */
  close(): Promise<void>;
}

/** The part of a request that all its attempts share: the same bytes each time. */
interface PreparedRequest {
  readonly endpoint: EndpointKind;
  readonly method: 'GET' | 'POST';
  readonly target: string;
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

type Attempt<Body> =
  | { readonly kind: 'done'; readonly response: GatewayResponse<Body> }
  | { readonly kind: 'refused'; readonly error: ProblemError; readonly retryAfterSeconds: number | null }
  | { readonly kind: 'no_answer'; readonly cause: unknown };

const DEFAULT_TIMEOUT_MS = 10_000;
const DEFAULT_MAX_ATTEMPTS = 6;
const DEFAULT_GIVE_UP_AFTER_MS = 60_000;

const systemClock: TransportClock = {
  nowMs: () => Date.now(),
  pause: (milliseconds, signal) => sleep(milliseconds, undefined, { signal }),
  random: () => Math.random(),
};

/** Joins path segments, each percent-encoded: `pathOf('deposits', id, 'cancel')` is `/deposits/dep_…/cancel`. */
export function pathOf(...segments: readonly string[]): string {
  return segments.map((segment) => `/${encodeURIComponent(segment)}`).join('');
}

/** A random Idempotency-Key. Keep it with the intent it belongs to: a repeat after a crash must use the same one. */
export function newIdempotencyKey(): string {
  return randomUUID();
}

/**
 * Opens a transport; it keeps connections alive until closed. Throws TypeError for a base address that is not http(s)
 * or does not end in `/v1`.
 */
export function createTransport(options: TransportOptions): Transport {
  const base = parseBaseUrl(options.baseUrl);
  const clock = options.clock ?? systemClock;
  const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const maxAttempts = options.maxAttempts ?? DEFAULT_MAX_ATTEMPTS;
  const giveUpAfterMs = options.giveUpAfterMs ?? DEFAULT_GIVE_UP_AFTER_MS;
  const closing = new AbortController();
  const connections = openConnections(base.origin, options.tls);

  /** A repeat is a new request to the server: new timestamp, new nonce, new signature over the same bytes. */
  function signNow({ method, target, body }: PreparedRequest): Record<string, string> {
    const timestampSeconds = Math.floor(clock.nowMs() / 1000);
    return signatureHeaders(options, {
      method,
      target,
      body,
      timestampSeconds,
      nonce: randomBytes(16).toString('hex'),
    });
  }

  async function attemptOnce<Body>(request: PreparedRequest): Promise<Attempt<Body>> {
    const headers = { ...request.headers, ...signNow(request) };
    try {
      return readAnswer<Body>(request, await connections.exchange({ ...request, headers, timeoutMs }));
    } catch (cause) {
      return { kind: 'no_answer', cause };
    }
  }

  return {
    async send<Body>(request: GatewayRequest): Promise<GatewayResponse<Body>> {
      const prepared = prepare(base.path, request, options.headers, options.traceId?.());
      const startedMs = clock.nowMs();
      for (let attempt = 1; ; attempt += 1) {
        const outcome: Attempt<Body> = await attemptOnce<Body>(prepared);
        if (outcome.kind === 'done') return outcome.response;

        const repeatable = outcome.kind === 'no_answer' || outcome.error.verdict === 'repeat';
        const retryAfterSeconds = outcome.kind === 'refused' ? outcome.retryAfterSeconds : null;
        const pauseMs = pauseBeforeRepeatMs(attempt, retryAfterSeconds, clock.random());
        const outOfTime = clock.nowMs() - startedMs + pauseMs > giveUpAfterMs;
        const failure = failureOf(outcome, prepared, attempt);
        if (!repeatable || attempt >= maxAttempts || outOfTime || closing.signal.aborted) throw failure;
        await clock.pause(pauseMs, closing.signal).catch(() => {
          throw failure;
        });
      }
    },
    async close() {
      if (closing.signal.aborted) return;
      closing.abort();
      await connections.close();
    },
  };
}

function parseBaseUrl(baseUrl: string): { origin: string; path: string } {
  const url = new URL(baseUrl);
  const path = url.pathname.replace(/\/+$/, '');
  const usable =
    (url.protocol === 'https:' || url.protocol === 'http:') &&
    url.username === '' &&
    url.search === '' &&
    url.hash === '';
  if (!usable || !path.endsWith('/v1')) throw new TypeError('baseUrl must be an http(s) address ending in /v1');
  return { origin: url.origin, path };
}

function prepare(
  basePath: string,
  request: GatewayRequest,
  everywhere: TransportOptions['headers'],
  traceId: string | undefined,
): PreparedRequest {
  const headers: Record<string, string> = {
    Accept: 'application/json, application/problem+json',
    ...everywhere,
    ...request.headers,
  };
  if (traceId !== undefined) headers['Svc-Trace-Id'] = traceId;
  const method = request.endpoint === 'read' ? 'GET' : 'POST';
  if (method === 'POST') {
    if (!/^[A-Za-z0-9_.:-]{16,128}$/.test(request.idempotencyKey ?? '')) {
      throw new TypeError('idempotencyKey must be 16 to 128 characters of A-Z a-z 0-9 _ . : -');
    }
    headers['Idempotency-Key'] = request.idempotencyKey ?? '';
    headers['Content-Type'] = 'application/json; charset=utf-8';
  }
  return {
    endpoint: request.endpoint,
    method,
    target: basePath + request.path + queryText(request.query ?? {}),
    body: request.body === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(request.body), 'utf8'),
    headers,
  };
}

function queryText(query: Readonly<Record<string, QueryValue>>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`],
  );
  return pairs.length > 0 ? `?${pairs.join('&')}` : '';
}

/** Sorts an answer into done, refused or unusable; the last is thrown and treated like a dropped connection. */
function readAnswer<Body>(request: PreparedRequest, answer: RawAnswer): Attempt<Body> {
  if (answer.status >= 200 && answer.status < 300) {
    const body = (answer.status === 204 ? null : JSON.parse(answer.text)) as Body;
    return {
      kind: 'done',
      response: {
        status: answer.status,
        headers: answer.headers,
        body,
        replayed: headerOf(answer, 'idempotent-replayed') === 'true',
      },
    };
  }
  if (answer.status < 400) throw new Error(`unexpected status ${answer.status}`);
  const problem = readProblem(answer);
  const retryAfterSeconds = parseRetryAfter(answer.headers['retry-after']);
  const error = new ProblemError({
    request: nameOf(request),
    problem,
    traceId: headerOf(answer, 'svc-trace-id') ?? problem.trace_id ?? null,
    retryAfterSeconds,
    verdict: verdictOf({ retryable: undefined, errors: [], ...problem }, request.endpoint),
  });
  return { kind: 'refused', error, retryAfterSeconds };
}

/**
 * The problem in the body. The HTTP status governs; a body that is no problem of the gateway becomes
 * `unrecognised_answer`.
 */
function readProblem(answer: RawAnswer): ReceivedProblem {
  const isProblem = /^application\/problem\+json\b/i.test(headerOf(answer, 'content-type') ?? '');
  const parsed = isProblem ? parseJson(answer.text) : undefined;
  if (typeof parsed === 'object' && parsed !== null && 'code' in parsed && typeof parsed.code === 'string') {
    const received = parsed as ReceivedProblem;
    return { ...received, status: answer.status, errors: namedIn(received) };
  }
  return { status: answer.status, code: 'unrecognised_answer' };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function headerOf(answer: RawAnswer, name: string): string | undefined {
  const value = answer.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** The fields that the refusal names; none where the list is not the gateway's. */
function namedIn({ errors }: ReceivedProblem): FieldError[] {
  return Array.isArray(errors) ? errors.filter((error) => typeof error?.field === 'string') : [];
}

function failureOf(
  outcome: Exclude<Attempt<unknown>, { kind: 'done' }>,
  request: PreparedRequest,
  attempts: number,
): Error {
  return outcome.kind === 'refused' ? outcome.error : new NoAnswerError(nameOf(request), attempts, outcome.cause);
}

/** For messages; without the query, whose filters may carry player references. */
function nameOf({ method, target }: PreparedRequest): string {
  return `${method} ${target.split('?')[0] ?? target}`;
}
