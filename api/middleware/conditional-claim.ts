// What a request claims in the query that authenticates it: its Idempotency-Key.
import { isProblem, type Problem } from '../../contract/http/errors.js';
import type { RouteDefinition } from '../../contract/http/route.js';
import { isIdOfOurs, newId } from '../../domain/identifiers.js';
import { isIdempotencyKey } from './checks.js';
import { type ConditionalClaim, fingerprintOf, type PlayerLimit } from './claim.js';
import { headerOf, type Input, type RequestContext, targetOf } from './request-context.js';

/** The hourly limit that a valid body counts against. */
export type PlayerLimitOf = (body: never, operationId: string) => PlayerLimit;

/** What a signed request claims; `undefined` when it needs no claim or has no valid key to claim. */
export function conditionalClaim(
  context: RequestContext,
  route: RouteDefinition,
  request: {
    readonly operationId: string;
    readonly params: Readonly<Record<string, string>>;
    readonly input: Input | Problem;
    /** The limit of the route. */
    readonly limitOf: PlayerLimitOf | undefined;
  },
): ConditionalClaim | undefined {
  const key = headerOf(context, 'idempotency-key');
  if (route.method !== 'POST' || !isIdempotencyKey(key)) return undefined;
  const { operationId, params, input, limitOf } = request;
  const { body, traceId } = context.state;
  return {
    claim: {
      operationId,
      key,
      fingerprint: fingerprintOf(route.method, targetOf(context), body),
      newObjectId: route.creates === undefined ? undefined : newId(route.creates),
      // Only valid bodies count against the limit.
      playerLimit: limitOf === undefined || isProblem(input) ? undefined : limitOf(input.body as never, operationId),
      traceId,
      subjectId: params['id'] !== undefined && isIdOfOurs(params['id']) ? params['id'] : undefined,
    },
    scopes: typeof route.access === 'string' ? null : route.access,
    evenInOutage: route.sandboxOnly === true,
  };
}
