// Answers shared by several routes.
import { type Problem, problem } from '../../contract/http/errors.js';
import type { RouteResponse } from '../../contract/http/route.js';

/** `Retry-After` when a dependency did not answer, in seconds. */
const UNAVAILABLE_RETRY_SECONDS = 2;

export function ok(body: unknown, headers?: Readonly<Record<string, string>>): RouteResponse {
  return headers === undefined ? { status: 200, body } : { status: 200, body, headers };
}

export const notFound = (): Problem => problem('not_found');

/** 409 with the state that does not allow the action, and the payment as it is. */
export function invalidTransition(
  existing: { readonly status: string },
  detail = `The state \`${existing.status}\` does not allow this.`,
): Problem {
  return problem('invalid_state_transition', { existing, detail });
}

export const unavailable = (): Problem =>
  problem('service_unavailable', { retryAfterSeconds: UNAVAILABLE_RETRY_SECONDS });
