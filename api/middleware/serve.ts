// The innermost step: runs the handler, a POST's at most once per Idempotency-Key, and records the response.
import type { Logger } from 'pino';
import { isProblem, type Problem, problem } from '../../contract/http/errors.js';
import type { RouteDefinition, RouteHandler } from '../../contract/http/route.js';
import { KeysUnavailableError } from '../../store/sealing/keys.js';
import { count } from '../../platform/telemetry/instruments.js';
import { annotateSpan } from '../../platform/telemetry/spans.js';
import type { Claim, IdempotencyStore, Reservation } from './idempotency.js';
import { headerOf, type Input, type Middleware, type PlayerLimit, type RequestContext } from './request.js';
import { faultOf } from '../../platform/http/faults.js';
import { inputOf } from './input.js';
import { playerLimitReached } from './limits.js';
import { type Reply, replyOfProblem, replyOfResponse, send } from './reply.js';

export interface ServingDependencies {
  readonly handlers: Readonly<Record<string, RouteHandler<never, never>>>;
  readonly idempotency: IdempotencyStore;
  readonly docsUrl: string;
  readonly log: Logger;
}

export function serve(deps: ServingDependencies): Middleware {
  return async (context) => {
    const route = context.state.route;
    if (route === undefined) throw new Error('a verified request has no route');
    const input = context.state.input ?? inputOf(context, route, context.state.params);
    const reply =
      route.method === 'POST'
        ? await replyOnce(deps, context, route, input)
        : await run(deps, context, route, input, undefined);
    send(context, reply);
  };
}

/** Runs a POST at most once per Idempotency-Key; a repeat gets the recorded response, byte for byte. */
async function replyOnce(
  deps: ServingDependencies,
  context: RequestContext,
  route: RouteDefinition,
  input: Input | Problem,
): Promise<Reply> {
  const refuse = (refusal: Problem) => replyOfProblem(refusal, context.state.traceId, deps.docsUrl);
  let claim: Claim;
  try {
    const { request, row } = context.state.claim ?? {};
    if (request === undefined || row === undefined) throw new Error('a verified POST claimed no Idempotency-Key');
    claim = deps.idempotency.claimed(request, row);
  } catch (error) {
    // The recorded response cannot be opened.
    deps.log.error(
      { traceId: context.state.traceId, fault: faultOf(error) },
      'the response of an Idempotency-Key could not be read',
    );
    count('gateway_idempotency_claims_total', { outcome: 'unavailable' });
    return refuse(problem('service_unavailable'));
  }
  count('gateway_idempotency_claims_total', { outcome: claim.kind === 'finished' ? 'replayed' : claim.kind });
  switch (claim.kind) {
    case 'finished':
      return { ...claim.reply, headers: { ...claim.reply.headers, 'Idempotent-Replayed': 'true' } };
    case 'in_progress':
      return refuse(problem('idempotency_in_progress'));
    case 'reused':
      return refuse(problem('idempotency_key_reused'));
    case 'limited':
      return refuse(perHourReached(claim.limit, claim.retryAfterSeconds));
    case 'owned': {
      context.state.objectId = claim.objectId;
      const reply = await run(deps, context, route, input, claim.objectId);
      const instead = await record(deps, context, claim.reservation, reply);
      return instead ?? reply;
    }
  }
}

function perHourReached({ what, limit }: PlayerLimit, retryAfterSeconds: number): Problem {
  return playerLimitReached({ what, most: `${limit} in any hour` }, retryAfterSeconds);
}

/** The handler's response. An exception is logged and becomes 500, or 503 when the keys are unavailable. */
async function run(
  deps: ServingDependencies,
  context: RequestContext,
  route: RouteDefinition,
  input: Input | Problem,
  objectId: string | undefined,
): Promise<Reply> {
  const { traceId, caller, params, found } = context.state;
  if (objectId !== undefined) annotateSpan({ 'gateway.object_id': objectId });
  try {
    const handler = deps.handlers[route.name];
    if (handler === undefined) throw new Error(`the route ${route.name} has no handler`);
    const answer = isProblem(input)
      ? input
      : await handler({
          caller: caller as never,
          params,
          query: input.query as never,
          body: input.body as never,
          headers: plainHeaders(context),
          objectId,
          found,
          traceId,
        });
    return isProblem(answer) ? replyOfProblem(answer, traceId, deps.docsUrl) : replyOfResponse(route, answer);
  } catch (error) {
    deps.log.error({ traceId, route: route.name, fault: faultOf(error) }, 'a handler failed');
    if (error instanceof KeysUnavailableError)
      return replyOfProblem(problem('service_unavailable'), traceId, deps.docsUrl);
    return replyOfProblem(problem('internal_error'), traceId, deps.docsUrl);
  }
}

/**
 * Records 2xx and 4xx; releases the key after 429 and 5xx. Returns a replacement when the response must not be sent: a
 * repeat took the key over and its response counts, or the response could not be recorded.
 */
async function record(
  deps: ServingDependencies,
  context: RequestContext,
  reservation: Reservation,
  reply: Reply,
): Promise<Reply | undefined> {
  const { traceId } = context.state;
  try {
    if (reply.status === 429 || reply.status >= 500) {
      await deps.idempotency.release(reservation);
      return undefined;
    }
    // The trace id is recorded too: a replayed problem has it in its body, and the header must match.
    if (
      await deps.idempotency.finish(reservation, { ...reply, headers: { ...reply.headers, 'Svc-Trace-Id': traceId } })
    )
      return undefined;
    deps.log.warn({ traceId }, 'a request finished after its Idempotency-Key had lapsed');
    return replyOfProblem(problem('idempotency_in_progress'), traceId, deps.docsUrl);
  } catch (error) {
    deps.log.error({ traceId, fault: faultOf(error) }, 'the response of an Idempotency-Key could not be recorded');
    return reply.status >= 500 ? undefined : replyOfProblem(problem('service_unavailable'), traceId, deps.docsUrl);
  }
}

function plainHeaders(context: RequestContext): Record<string, string | undefined> {
  return Object.fromEntries(Object.keys(context.req.headers).map((name) => [name, headerOf(context, name)]));
}
