// The provider ingress, on a separate port. A callback is verified, stored and turned into signals. The workflows look
// the facts up at the provider; a callback alone proves nothing.
import Koa from 'koa';
import type { Logger } from 'pino';
import { accountNameOf } from '../domain/provider-accounts.js';
import { type CallbackReader, type CallbackVerdict, CERTIFICATE_HEADER } from '../providers/port.js';
import { isDatabaseUnavailable } from '../store/errors.js';
import { count } from '../platform/telemetry/instruments.js';
import { inSpan, type Span, traceOf } from '../platform/telemetry/spans.js';
import { readBody, comesFrom } from '../platform/http/request.js';
import type { HttpFault, RawAnswer } from '../platform/http/server.js';
import { DepositWorkflows, WithdrawalWorkflows } from '../platform/temporal/payment-workflows.js';
import { isPassing } from '../platform/temporal/calls.js';
import {
  type CallbackServices,
  type IngressDependencies,
  raiseForged,
  raiseUnreadable,
  keepAndPassOn,
} from './notices.js';

/** Providers batch, so a callback may be larger than an operator's request. */
export const CALLBACK_LIMIT_BYTES = 256 * 1024;

const RETRY_SECONDS = 2;

/** The ingress's answer. A provider repeats after a 5xx and stops after anything else. */
interface Answer {
  readonly status: 200 | 400 | 401 | 404 | 413 | 415 | 503;
  readonly detail?: string;
}

/** The application: `POST /callbacks/{provider}/…`, `GET /healthz` for the edge, and nothing else. */
export function createIngress(dependencies: IngressDependencies): Koa {
  const { temporal, deadlines, logger, isReady } = dependencies;
  const workflows = {
    deposits: new DepositWorkflows(temporal, deadlines),
    withdrawals: new WithdrawalWorkflows(temporal, deadlines),
  };
  const app = new Koa();
  app.silent = true;
  app.on('error', () => undefined);
  app.use(async (context) => {
    if (context.method === 'GET' && context.path === '/healthz') return showHealth(context, await isReady());
    const provider = context.method === 'POST' ? providerOf(dependencies, context.path) : null;
    if (provider === null) return send(context, { status: 404 });
    // Proofs are made over the bytes as they are meant to be read, so none is unpacked.
    if (isEncoded(context)) return refuseEncoding(context, provider);
    const body = await readBody(context.req, CALLBACK_LIMIT_BYTES);
    if (body === 'aborted') {
      context.respond = false;
      return;
    }
    if (body === 'too_large') {
      // The rest of the body is not read: the connection closes with the answer.
      context.set('Connection', 'close');
      return send(context, { status: 413, detail: 'body: larger than 256 KiB' });
    }
    const answer = await receive({ ...dependencies, ...workflows }, provider, {
      path: context.path,
      query: context.querystring,
      headers: {
        ...plain(context.headers),
        ...(comesFrom(context.req, dependencies.trustedProxies) ? {} : { [CERTIFICATE_HEADER]: undefined }),
      },
      body,
    }).catch((error: unknown) => down(logger, provider, error));
    count('gateway_callbacks_total', { provider: provider.name, status: String(answer.status) });
    send(context, answer);
  });
  return app;
}

function isEncoded(context: Koa.Context): boolean {
  return !['', 'identity'].includes(context.get('Content-Encoding').trim().toLowerCase());
}

function refuseEncoding(context: Koa.Context, provider: CallbackReader): void {
  count('gateway_callbacks_total', { provider: provider.name, status: '415' });
  context.set('Accept-Encoding', 'identity');
  // The body is not read: the connection closes with the answer.
  context.set('Connection', 'close');
  send(context, { status: 415, detail: 'Content-Encoding: only identity is read' });
}

async function receive(
  services: CallbackServices,
  provider: CallbackReader,
  request: Parameters<CallbackReader['parseCallback']>[0],
): Promise<Answer> {
  const verdict = await provider.parseCallback(request);
  const parent = verdict.kind === 'accepted' && services.continuesTraces === true ? traceOf(request.headers) : null;
  return inSpan(
    {
      name: 'callback',
      kind: 'server',
      parent: parent ?? undefined,
      attributes: { 'gateway.provider': provider.name },
    },
    async (span) => {
      const answer = await answerOf(services, provider, request, verdict);
      describe(span, answer);
      return answer;
    },
  );
}

function describe(span: Span, { status }: Answer): void {
  span.set({ 'http.response.status_code': status });
  if (status === 503) span.fail(TITLES[status]);
}

async function answerOf(
  services: CallbackServices,
  provider: CallbackReader,
  request: Parameters<CallbackReader['parseCallback']>[0],
  verdict: CallbackVerdict,
): Promise<Answer> {
  if (verdict.kind === 'trial') return { status: 200 };
  if (verdict.kind === 'forged') {
    await raiseForged(services, provider.name, verdict.reason);
    return { status: 401, detail: 'the sender is not verified' };
  }
  if (verdict.kind === 'unverifiable') {
    services.logger.warn({ provider: provider.name, reason: verdict.reason }, 'a callback cannot be verified now');
    return { status: 503, detail: 'repeat later' };
  }
  if (verdict.kind === 'malformed') {
    services.logger.warn({ provider: provider.name, path: request.path }, 'a callback is malformed');
    count('gateway_provider_drift_total', { provider: provider.name, what: 'unreadable_callback' });
    return { status: 400, detail: verdict.reason };
  }
  if (verdict.unreadable !== undefined) {
    count('gateway_provider_drift_total', { provider: provider.name, what: 'unreadable_callback' });
    await raiseUnreadable(services, provider.name, verdict.unreadable);
  }
  const passedOn = await keepAndPassOn(services, provider, request, verdict.notices);
  return passedOn ? { status: 200 } : { status: 503, detail: 'repeat later' };
}

function providerOf({ readers }: IngressDependencies, path: string): CallbackReader | null {
  const [, root, account = ''] = path.split('/');
  const name = root === 'callbacks' ? accountNameOf(account) : undefined;
  return (name === undefined ? undefined : readers(name)) ?? null;
}

/** Postgres or Temporal is down, or a bug: the provider should retry. */
function down(logger: Logger, provider: CallbackReader, error: unknown): Answer {
  const cause = isDatabaseUnavailable(error) ? 'postgres' : isPassing(error) ? 'temporal' : 'fault';
  logger.error(
    { provider: provider.name, cause, error: error instanceof Error ? error.name : typeof error },
    'a callback could not be processed',
  );
  return { status: 503, detail: 'repeat later' };
}

function showHealth(context: Koa.Context, ready: boolean): void {
  context.status = ready ? 200 : 503;
  context.set('Cache-Control', 'no-store');
  context.body = { ready };
}

function send(context: Koa.Context, { status, detail }: Answer): void {
  context.status = status;
  if (status === 503) context.set('Retry-After', String(RETRY_SECONDS));
  context.set('Cache-Control', 'no-store');
  if (status === 200) {
    context.body = { ok: true };
    return;
  }
  context.body = problemText(status, detail);
  context.set('Content-Type', 'application/problem+json');
}

function problemText(status: Exclude<Answer['status'], 200>, detail?: string): string {
  return JSON.stringify({ title: TITLES[status], status, ...(detail === undefined ? {} : { detail }) });
}

/** Requests that never reach the application are refused in the same shape. */
export function refusalOf(fault: HttpFault): RawAnswer {
  const status = RAW_STATUSES[fault];
  return {
    status,
    headers: {
      'Cache-Control': 'no-store',
      'Content-Type': 'application/problem+json',
      ...(status === 503 ? { 'Retry-After': String(RETRY_SECONDS) } : {}),
    },
    body: Buffer.from(problemText(status), 'utf8'),
  };
}

const RAW_STATUSES = { too_slow: 503, headers_too_large: 400, no_http: 400, connect: 404 } as const satisfies Record<
  HttpFault,
  number
>;

const TITLES = {
  400: 'malformed',
  401: 'unverified',
  404: 'not_found',
  413: 'too_large',
  415: 'unsupported_encoding',
  503: 'service_unavailable',
} as const;

/** Headers that were sent exactly once; a repeated header is not trusted. */
function plain(headers: Koa.Context['headers']): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? value : undefined]),
  );
}
