// The panel as a Koa application: trace, protect, serve the page, find the route, authenticate the person, answer.
import Koa from 'koa';
import { panelMeansIn } from '../domain/staff.js';
import { type HealthChecks, readiness } from '../platform/http/services.js';
import type { TrustedProxies } from '../platform/http/request.js';
import { DependencyWatch } from './dependency-watch.js';
import { type PageFiles, page } from './files.js';
import { accessHandlers } from './handlers/access.js';
import { alertHandlers } from './handlers/alerts.js';
import { approvalHandlers } from './handlers/approvals.js';
import { auditHandlers } from './handlers/audit.js';
import { caseHandlers } from './handlers/cases.js';
import { integrationHandlers } from './handlers/integration.js';
import { moneyHandlers } from './handlers/money.js';
import { oidcHandlers } from './handlers/oidc.js';
import { operationHandlers } from './handlers/operations.js';
import { passkeyHandlers } from './handlers/passkeys.js';
import { paymentHandlers } from './handlers/payments.js';
import { playerHandlers } from './handlers/players.js';
import { questionHandlers } from './handlers/questions.js';
import { ruleChangeHandlers } from './handlers/rule-changes.js';
import { sessionHandlers } from './handlers/session.js';
import { staffHandlers } from './handlers/staff.js';
import { webhookHandlers } from './handlers/webhooks.js';
import { createMatcher } from './matcher.js';
import { answerRefusal } from './middleware/answer.js';
import { securityHeaders } from './middleware/headers.js';
import { ownPage } from './middleware/own-page.js';
import { serve } from './middleware/serve.js';
import { signedIn } from './middleware/session.js';
import { trace } from './middleware/trace.js';
import { refuse } from './refusal.js';
import type { Middleware, RequestState } from './request.js';
import type { PanelServices } from './services.js';
import { RefusedSignIns } from '../staff/acts/refused-sign-ins.js';
import { Streams } from './stream.js';

export interface PanelOptions extends Omit<PanelServices, 'relyingParty' | 'means' | 'refusedSignIns'> {
  /** The origin in people's browsers. */
  readonly panelUrl: string;
  readonly files: PageFiles;
  /** The panel's TLS edge; undefined: people reach the panel itself. */
  readonly edge: TrustedProxies | undefined;
  /** What no page can be read without. */
  readonly health: HealthChecks;
  /** Rejects while Temporal does not answer. People read the pages then, which say so. */
  readonly askTemporal: () => Promise<unknown>;
  /** How often the counters are read, for tests. */
  readonly pollMs?: number;
}

export interface Panel {
  readonly app: Koa<RequestState>;
  readonly streams: Streams;
}

export function createPanel(options: PanelOptions): Panel {
  const { panelUrl, files, health, log, database, environment } = options;
  const services = {
    ...options,
    relyingParty: { id: new URL(panelUrl).hostname, origin: panelUrl },
    means: panelMeansIn(environment, options.identityProvider !== null),
    refusedSignIns: new RefusedSignIns(database),
  };
  const temporalWatch = new DependencyWatch(options.askTemporal);
  const streams = new Streams({ ...options, temporalWatch });
  const handlers = {
    ...sessionHandlers(services),
    ...passkeyHandlers(services),
    ...oidcHandlers(services),
    ...caseHandlers(services),
    ...paymentHandlers(services),
    ...playerHandlers(services),
    ...operationHandlers(services),
    ...approvalHandlers(services),
    ...alertHandlers(services),
    ...auditHandlers(services),
    ...moneyHandlers(services),
    ...accessHandlers(services),
    ...ruleChangeHandlers(services),
    ...staffHandlers(services),
    ...webhookHandlers(services),
    ...integrationHandlers(services),
    ...questionHandlers(services),
  };
  const app = new Koa<RequestState>();
  app.silent = true;
  app.on('error', () => undefined);
  app.use(trace(log, options.edge));
  app.use(securityHeaders(panelUrl));
  app.use(showHealth(readiness(health, Date.now, log), temporalWatch));
  app.use(page(files));
  app.use(findRoute());
  app.use(ownPage(panelUrl));
  app.use(signedIn(database, services.means));
  app.use(serve({ handlers, streams, log, environment }));
  return { app, streams };
}

/** Not ready: nobody could read a page. A panel without Temporal is ready, because there people see that it is away. */
function showHealth(isReady: () => Promise<boolean>, temporal: DependencyWatch): Middleware {
  return async (context, next) => {
    if (context.path !== '/healthz' || context.method !== 'GET') return next();
    const ready = await isReady();
    context.status = ready ? 200 : 503;
    context.body = { ready, temporal: temporal.answers() ? 'answers' : 'away' };
  };
}

function findRoute(): Middleware {
  const match = createMatcher();
  return async (context, next) => {
    const found = match(context.method, context.path);
    if (typeof found === 'string') return answerRefusal(context, refuse(found));
    context.state.route = found.route;
    context.state.params = found.params;
    await next();
  };
}
