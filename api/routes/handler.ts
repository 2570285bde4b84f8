// What every handler is given, and the answers that several of them give.
import type { Logger } from 'pino';
import type { AccountName, ProviderTraits, SandboxSteering } from '../../providers/port.js';
import type { Database } from '../../store/database.js';
import type { Sealer } from '../../store/sealing/sealer.js';
import type { Deadlines, TemporalClient } from '../../platform/temporal/calls.js';
import type { RouteRequest, RouteResponse } from '../../contract/http/route.js';
import { type Problem, problem } from '../../contract/http/errors.js';

export interface ApiDependencies {
  readonly database: Database;
  readonly sealer: Sealer;
  readonly temporal: TemporalClient;
  /** Controls the simulated provider; null in production. */
  readonly steering: SandboxSteering | null;
  readonly providerTraits: (provider: AccountName) => ProviderTraits;
  /** The OpenAPI document of the registered routes, as YAML. */
  readonly openApi: () => string;
  readonly deadlines: Deadlines;
  /** For links on the pages of workflows; undefined: none. */
  readonly panelUrl?: string | undefined;
  /** Wall time. */
  readonly clock: () => Date;
  readonly logger: Logger;
}

/** Throws when there is none: the route table lacks `creates`. */
export function reservedId({ objectId }: Pick<RouteRequest, 'objectId'>): string {
  if (objectId === undefined) throw new Error('the route creates an object and no id was reserved for it');
  return objectId;
}

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
