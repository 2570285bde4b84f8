// The api as a Koa application: trace, receive the body, verify, serve; and its HTTP server, which refuses what never
// reaches the application in the interface's shape too.
import type { Logger } from 'pino';
import { type HealthChecks, readiness } from '../platform/http/services.js';
import { type Middleware, type RequestState, createRouteMatcher } from './middleware/request.js';
import Koa from 'koa';
import type { RouteDefinition, RouteHandler } from '../contract/http/route.js';
import type { Database } from '../store/database.js';
import type { Sealer } from '../store/sealing/sealer.js';
import { authenticateThrough } from './middleware/authentication.js';
import { receiveBody } from './middleware/input.js';
import { type PlayerLimitOf, createIdempotencyStore } from './middleware/idempotency.js';
import { cachedCredentials, loadCredential, type TrustedEdge } from './middleware/credentials.js';
import { serve } from './middleware/serve.js';
import { logCalls, trace, newTraceId } from './middleware/trace.js';
import { laterVersion, COMMON_HEADERS, replyOfProblem } from './middleware/reply.js';
import { type ReadOf, verify } from './middleware/verify.js';
import type { ReferencePage } from './reference/files.js';
import { reference } from './reference/serve.js';
import type { Site } from './reference/site.js';
import { signingAid } from './reference/signing-aid.js';
import type { BatchedLog } from '../platform/telemetry/batched-log.js';
import type { LoggedCall } from '../store/requests/request-log.js';
import { invalidField, type Problem, problem } from '../contract/http/errors.js';
import { type HttpFault, type RawAnswer, type RunningServer, startServer as listen } from '../platform/http/server.js';
import { BODY_LIMIT_BYTES } from './middleware/limits.js';

/** Answers `{ready}` with 200 or 503. */
function health(checks: HealthChecks, nowMs: () => number, log: Logger): Middleware {
  const isReady = readiness(checks, nowMs, log);
  return async (context, next) => {
    if (context.req.url !== '/healthz' || context.method !== 'GET') return next();
    const ready = await isReady();
    context.status = ready ? 200 : 503;
    if (!ready) context.set('Retry-After', '1');
    context.body = { ready };
  };
}

export interface AppDependencies {
  readonly environment: 'sandbox' | 'production';
  /** Base of every error's `type`, without a trailing slash. */
  readonly docsUrl: string;
  readonly routes: readonly RouteDefinition[];
  /** By route name. */
  readonly handlers: Readonly<Record<string, RouteHandler<never, never>>>;
  /** By route name: the player's hourly limit that a valid body counts against. */
  readonly playerLimits: Readonly<Record<string, PlayerLimitOf | undefined>>;
  /** By route name: the read to run in the authentication query. */
  readonly reads: Readonly<Record<string, ReadOf | undefined>>;
  readonly database: Database;
  readonly sealer: Sealer;
  /** Where the operations' own calls are logged; undefined: nowhere. */
  readonly calls?: Pick<BatchedLog<LoggedCall>, 'add'> | undefined;
  /** Edge proxies trusted to name the client's address; undefined: use the socket's address. */
  readonly edge: TrustedEdge | undefined;
  readonly health: HealthChecks;
  /** The API reference below `/docs`; undefined: 404. */
  readonly reference?: ReferencePage | undefined;
  /** The documentation site at `/docs`. */
  readonly site?: Site | undefined;
  /** Wall clock, milliseconds. */
  readonly nowMs: () => number;
  readonly log: Logger;
}

/** The application; `startServer` runs it. */
export function createApp(deps: AppDependencies): Koa<RequestState> {
  const { environment, docsUrl, database, log, nowMs } = deps;
  const app = new Koa<RequestState>();
  app.silent = true;
  app.on('error', () => undefined);
  const match = createRouteMatcher(deps.routes, environment);
  if (deps.calls !== undefined) app.use(logCalls({ calls: deps.calls, nowMs, edge: deps.edge, match }));
  app.use(trace({ log, docsUrl, nowMs, edge: deps.edge }));
  app.use(laterVersion(environment));
  app.use(health(deps.health, nowMs, deps.log));
  app.use(signingAid({ environment, docsUrl, nowMs }));
  app.use(reference(deps.reference, deps.site, docsUrl));
  app.use(receiveBody(docsUrl));
  app.use(
    verify({
      environment,
      match,
      credentials: cachedCredentials(loadCredential(database, deps.sealer), nowMs),
      authenticate: authenticateThrough(database),
      reads: deps.reads,
      playerLimits: deps.playerLimits,
      edge: deps.edge,
      nowMs,
      docsUrl,
      log,
    }),
  );
  app.use(
    serve({
      handlers: deps.handlers,
      idempotency: createIdempotencyStore(database, deps.sealer),
      docsUrl,
      log,
    }),
  );
  return app;
}

export interface ServerOptions {
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  readonly docsUrl: string;
}

/** Listens; rejects with the system's error (`EADDRINUSE`) when it cannot. */
export function startServer<State>(app: Koa<State>, { docsUrl, ...place }: ServerOptions): Promise<RunningServer> {
  return listen(app, {
    ...place,
    bodyLimitBytes: BODY_LIMIT_BYTES,
    refusalOf: (fault) => rawAnswer(PROBLEMS[fault](), docsUrl),
  });
}

const PROBLEMS: Readonly<Record<HttpFault, () => Problem>> = {
  too_slow: () => problem('service_unavailable', { retryAfterSeconds: 1 }),
  headers_too_large: () => invalidField('', 'too_large', 'the headers are over 16 KiB'),
  no_http: () => invalidField('', 'syntax', 'the request is not valid HTTP'),
  connect: () => problem('insufficient_scope'),
};

function rawAnswer(refusal: Problem, docsUrl: string): RawAnswer {
  const traceId = newTraceId();
  const { status, contentType, headers, body } = replyOfProblem(refusal, traceId, docsUrl);
  return {
    status,
    headers: { 'Svc-Trace-Id': traceId, ...COMMON_HEADERS, 'Content-Type': contentType, ...headers },
    body,
  };
}
