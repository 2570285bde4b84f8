// The innermost step: runs the handler of the route and answers what the route's schema names, and nothing else.
import type { Logger } from 'pino';
import type { z } from 'zod';
import type { FileAnswer, PanelRoute } from '../../contract/panel/route.js';
import { PANEL_ROUTES } from '../../contract/panel/routes.js';
import { bounded, TimeoutError } from '../../platform/http/bounded.js';
import { faultOf } from '../../platform/http/faults.js';
import { isPassing } from '../../platform/temporal/calls.js';
import { isDatabaseUnavailable } from '../../store/errors.js';
import { KeysUnavailableError } from '../../store/sealing/keys.js';
import type { Viewer } from '../../staff/viewer.js';
import { isRefusal, type Refusal, refuse } from '../refusal.js';
import type { HandlerRequest, Handlers, Middleware, RequestContext } from '../request.js';
import type { Streams } from '../stream.js';
import { answerFile, answerJson, answerRefusal } from './answer.js';
import { type Input, readInput } from './input.js';
import { cookieOf, reachFor, setCookie } from './session.js';

const HANDLER_TIMEOUT_MS = 30_000;

export interface Serving {
  readonly handlers: Handlers;
  readonly streams: Streams;
  readonly log: Logger;
  readonly environment: Viewer['environment'];
}

export function serve({ handlers, streams, log, environment }: Serving): Middleware {
  return async (context) => {
    const { route: name, session } = context.state;
    if (name === undefined) throw new Error('a request without a route');
    const route: PanelRoute = PANEL_ROUTES[name];
    if (name === 'stream') {
      if (session === undefined) throw new Error('a stream without a session');
      const refusal = streams.open(context, session);
      return refusal === null ? undefined : answerRefusal(context, refusal);
    }
    const input = await readInput(context, route);
    if (isRefusal(input)) return answerRefusal(context, input);
    const handle = handlers[name] as (request: unknown) => Promise<unknown>;
    const answer = await bounded(handle(requestOf(context, input, environment)), HANDLER_TIMEOUT_MS, name).catch(
      (error: unknown) => {
        log.error({ traceId: context.state.traceId, route: name, fault: faultOf(error) }, 'a handler failed');
        return refusalOf(error);
      },
    );
    if (isRefusal(answer)) return answerRefusal(context, answer);
    if (route.answer === 'file')
      return answerFile(context, answer as FileAnswer, (error) =>
        log.error({ traceId: context.state.traceId, route: name, fault: faultOf(error) }, 'a file ended too early'),
      );
    answerJson(context, 200, (route.answer as z.ZodType).parse(answer));
  };
}

function requestOf(context: RequestContext, input: Input, environment: Viewer['environment']): HandlerRequest<never> {
  const { route, session } = context.state;
  const viewer =
    session === undefined || route === undefined
      ? undefined
      : { ...session, environment, reach: reachFor(route, session) };
  return {
    ...(input as HandlerRequest<never>),
    // A public route's handler needs neither.
    viewer: viewer as HandlerRequest<never>['viewer'],
    session: session as HandlerRequest<never>['session'],
    language: context.acceptsLanguages('pt', 'en') === 'en' ? 'en' : 'pt-BR',
    now: new Date(),
    address: context.state.address,
    setCookie: (token) => setCookie(context, 'session', token),
    ticket: cookieOf(context, 'ticket'),
    setTicket: (ticket) => setCookie(context, 'ticket', ticket),
  };
}

/** A service that the panel needs is down, or the panel has a fault. */
function refusalOf(error: unknown): Refusal {
  const isAway =
    error instanceof TimeoutError ||
    error instanceof KeysUnavailableError ||
    isDatabaseUnavailable(error) ||
    isPassing(error);
  return refuse(isAway ? 'unavailable' : 'internal');
}
