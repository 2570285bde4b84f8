// Runs the fourteen checks over a request and lets it pass with its caller, or answers the first failure.
import type { Logger } from 'pino';
import { isProblem, type Problem, problem } from '../../contract/http/errors.js';
import type { Caller } from '../../contract/http/route.js';
import type { AuthenticatedRead } from '../../store/authenticated-read.js';
import type { Admit, AdmissionStage } from './admission.js';
import {
  type Admitted,
  CHECKS,
  type FailedCheck,
  type Facts,
  firstFailure,
  LAST_CHECK_BEFORE_ADMISSION,
} from './checks.js';
import type { Credential, Credentials } from './credentials.js';
import { type Exchange, headerOf, type Middleware, targetOf } from './exchange.js';
import { faultOf } from './faults.js';
import { type Input, inputOf } from './input.js';
import { bucketsOf } from './limits.js';
import { replyOfProblem, send } from './reply.js';
import type { RouteMatch, RouteMatcher } from './route-matcher.js';
import { signatureMatches } from './signature.js';
import { sourceAddressOf, type TrustedEdge } from './source-address.js';

/** The read of a request with valid input; null where its handler has to look something up first. */
export type ReadOf = (request: {
  readonly params: Readonly<Record<string, string>>;
  readonly query: never;
}) => AuthenticatedRead | null;

export interface VerificationDependencies {
  readonly environment: 'sandbox' | 'production';
  readonly match: RouteMatcher;
  readonly credentials: Credentials;
  readonly admit: Admit;
  /** By the route's name: what it reads with its admission. */
  readonly reads: Readonly<Record<string, ReadOf | undefined>>;
  readonly edge: TrustedEdge | undefined;
  readonly nowMs: () => number;
  readonly docsUrl: string;
  readonly log: Logger;
}

const EARLY_CHECKS = CHECKS.filter(({ number }) => number <= LAST_CHECK_BEFORE_ADMISSION);

/** Checks 2-14 (the body was read before). A public route passes after check 2, without a caller. */
export function verify(deps: VerificationDependencies): Middleware {
  return async (exchange, next) => {
    const match = deps.match(exchange.method, targetOf(exchange));
    const verdict = await judge(deps, exchange, match).catch((error: unknown): Problem => {
      // The key's secret, the nonces or the rates cannot be read: closed, never open.
      deps.log.error({ traceId: exchange.state.traceId, fault: faultOf(error) }, 'a request could not be verified');
      return problem('service_unavailable');
    });
    if (verdict !== undefined && 'kind' in verdict) {
      send(exchange, replyOfProblem(verdict, exchange.state.traceId, deps.docsUrl));
      return;
    }
    if (match.kind !== 'route') throw new Error('a request without a route passed every check');
    Object.assign(exchange.state, { route: match.route, params: match.params, ...verdict });
    await next();
  };
}

/** The caller, undefined for a public route, or the first failure. */
async function judge(
  deps: VerificationDependencies,
  exchange: Exchange,
  match: RouteMatch,
): Promise<Passed | Problem | undefined> {
  const source = sourceAddressOf(exchange.req, deps.edge);
  const isPublic = match.kind === 'route' && match.route.access === 'public';
  const asked = { source, environment: deps.environment };
  if (isPublic) {
    const admission = await deps.admit({ ...asked, stage: 'source', keyId: '', nonce: '', buckets: [] });
    return firstFailure({ ...factsOf(deps, exchange, match), admission }, CHECKS.slice(0, 2))?.problem;
  }
  const { facts, credential, failure } = await whatTheRequestSays(deps, exchange, match);
  const { keyId, nonce } = facts;
  const buckets =
    credential === undefined
      ? []
      : bucketsOf({
          write: exchange.method === 'POST',
          listing: isListing(match),
          keyId: credential.keyId,
          operationId: credential.operationId,
        });
  // What failed before Postgres is asked carries no claim that it may see.
  const claims =
    failure === undefined ? { keyId: keyId!, nonce: nonce!, buckets } : { keyId: '', nonce: '', buckets: [] };
  const { input, read } = failure === undefined ? readBeforehand(deps, exchange, match) : {};
  const admission = await deps.admit({ ...asked, stage: stageOf(failure), ...claims, read });
  const first = firstFailure({ ...facts, admission });
  if (first !== undefined) return first.problem;
  if (admission.kind !== 'admitted' || credential === undefined)
    throw new Error('the statement admitted a request that no check passed');
  return { caller: callerOf(credential, admission, deps.environment), input, found: admission.found };
}

/** What verification adds to the exchange. */
interface Passed {
  readonly caller: Caller;
  readonly input: Input | Problem | undefined;
  readonly found: readonly object[] | undefined;
}

/** The input of a route that can read with its admission, and that read. What is wrong with the input is answered after the checks. */
function readBeforehand(
  { reads }: VerificationDependencies,
  exchange: Exchange,
  match: RouteMatch,
): { readonly input?: Input | Problem; readonly read?: AuthenticatedRead | undefined } {
  if (match.kind !== 'route') return {};
  const readOf = reads[match.route.name];
  if (readOf === undefined) return {};
  const input = inputOf(exchange, match.route, match.params);
  return {
    input,
    read: isProblem(input) ? undefined : (readOf({ params: match.params, query: input.query as never }) ?? undefined),
  };
}

interface Said {
  readonly facts: Facts;
  readonly credential: Credential | undefined;
  /** The first failure among the checks up to the signature. */
  readonly failure: FailedCheck | undefined;
}

/** Steps 3-6: headers first, so that a key is looked up and a signature computed only for a request that may be right. */
async function whatTheRequestSays(
  deps: VerificationDependencies,
  exchange: Exchange,
  match: RouteMatch,
): Promise<Said> {
  const unsigned = factsOf(deps, exchange, match);
  const malformed = firstFailure({ ...unsigned, signatureMatches: true }, EARLY_CHECKS);
  if (malformed !== undefined) return { facts: unsigned, credential: undefined, failure: malformed };
  const { credential, cached } = await deps.credentials.find(unsigned.keyId!);
  const request = {
    timestamp: unsigned.timestamp!,
    nonce: unsigned.nonce!,
    method: exchange.method,
    target: targetOf(exchange),
    body: exchange.state.body,
  };
  const facts = { ...unsigned, signatureMatches: signatureMatches(request, unsigned.signature, credential?.secret) };
  if (!facts.signatureMatches && cached) await evenOut(deps, facts);
  return { facts, credential, failure: firstFailure(facts, EARLY_CHECKS) };
}

/** A refused request loads its key even when memory knew it; else the time of a 401 would tell keys in use from invented ones. */
function evenOut({ credentials }: VerificationDependencies, { keyId }: Facts): Promise<void> {
  return credentials.load(keyId!);
}

function factsOf(deps: VerificationDependencies, exchange: Exchange, match: RouteMatch): Facts {
  return {
    environment: deps.environment,
    nowSeconds: Math.floor(deps.nowMs() / 1_000),
    bodyTooLarge: false,
    keyId: headerOf(exchange, 'svc-key-id'),
    timestamp: headerOf(exchange, 'svc-timestamp'),
    nonce: headerOf(exchange, 'svc-nonce'),
    signature: headerOf(exchange, 'svc-signature'),
    signatureMatches: false,
    match,
    method: exchange.method,
    idempotencyKey: headerOf(exchange, 'idempotency-key'),
    admission: undefined,
  };
}

function stageOf(failure: FailedCheck | undefined): AdmissionStage {
  if (failure === undefined) return 'signed';
  return failure.number === LAST_CHECK_BEFORE_ADMISSION ? 'signature_failed' : 'source';
}

function isListing(match: RouteMatch): boolean {
  return match.kind === 'route' && match.route.listing === true;
}

function callerOf({ keyId }: Credential, admitted: Admitted, environment: 'sandbox' | 'production'): Caller {
  const { operationId, operationName, provider, scopes } = admitted;
  return { keyId, scopes, operation: { id: operationId, name: operationName, environment, provider } };
}
