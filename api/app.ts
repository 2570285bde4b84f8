// The api as a Koa application: trace, receive the body, verify, serve.
import Koa from 'koa';
import type { Logger } from 'pino';
import type { RouteDefinition, RouteHandler } from '../contract/http/route.js';
import type { Database } from '../store/database.js';
import type { Sealer } from '../store/sealing/sealer.js';
import { authenticateThrough } from './middleware/authentication.js';
import { receiveBody } from './middleware/body.js';
import type { PlayerLimitOf } from './middleware/conditional-claim.js';
import { cachedCredentials, loadCredential } from './middleware/credentials.js';
import type { RequestState } from './middleware/request-context.js';
import type { HealthChecks } from '../platform/http/readiness.js';
import { health } from './middleware/health.js';
import { createIdempotencyStore } from './middleware/idempotency.js';
import { createRouteMatcher } from './middleware/route-matcher.js';
import { serve } from './middleware/serve.js';
import type { TrustedEdge } from './middleware/client-certificate.js';
import { logCalls } from './middleware/request-log.js';
import { trace } from './middleware/trace.js';
import { laterVersion } from './middleware/later-version.js';
import { type ReadOf, verify } from './middleware/verify.js';
import type { ReferencePage } from './reference/files.js';
import { reference } from './reference/serve.js';
import type { Site } from './reference/site.js';
import { signingAid } from './reference/signing-aid.js';
import type { BatchedLog } from '../platform/telemetry/batched-log.js';
import type { LoggedCall } from '../store/requests/request-log.js';

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

/** The application; `startServer` in server.ts runs it. */
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
