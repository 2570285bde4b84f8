// Runs the fourteen checks. A request passes on with its caller, or gets the first failure as its answer.
import type { Logger } from 'pino';
import { isProblem, type Problem, problem } from '../../contract/http/errors.js';
import type { Caller } from '../../contract/http/route.js';
import type { AuthenticatedRead } from '../../store/statements.js';
import { onBehalfOf } from '../../store/shared-pool.js';
import { count } from '../../platform/telemetry/instruments.js';
import type { Authenticate, AuthenticationStage } from './authentication.js';
import {
  type AuthenticatedCaller,
  CHECKS,
  type FailedCheck,
  type Facts,
  firstFailure,
  LAST_CHECK_BEFORE_POSTGRES,
} from './checks.js';
import { type ConditionalClaim, conditionalClaim, type PlayerLimitOf } from './idempotency.js';
import { type Credential, type Credentials, certificateBelongsTo, type TrustedEdge } from './credentials.js';
import { signatureMatches } from './signature.js';
import { FailureLimiter, bucketsOf, limitReached, namedRate, RATES } from './limits.js';
import {
  headerOf,
  type Input,
  type Middleware,
  type RequestContext,
  type RequestState,
  targetOf,
  type RouteMatch,
  type RouteMatcher,
} from './request.js';
import { faultOf } from '../../platform/http/faults.js';
import { inputOf } from './input.js';
import { replyOfProblem, send } from './reply.js';
import { sourceAddressOf } from '../../platform/http/request.js';

/** The read to run in a valid request's authentication query; null when the handler must look something up first. */
export type ReadOf = (request: {
  readonly params: Readonly<Record<string, string>>;
  readonly query: never;
}) => AuthenticatedRead | null;

export interface VerificationDependencies {
  readonly environment: 'sandbox' | 'production';
  readonly match: RouteMatcher;
  readonly credentials: Credentials;
  readonly authenticate: Authenticate;
  /** By route name: the read to run in the authentication query. */
  readonly reads: Readonly<Record<string, ReadOf | undefined>>;
  /** By route name: the player's hourly limit that a valid body counts against. */
  readonly playerLimits: Readonly<Record<string, PlayerLimitOf | undefined>>;
  readonly edge: TrustedEdge | undefined;
  readonly nowMs: () => number;
  readonly docsUrl: string;
  readonly log: Logger;
}

interface Verification extends VerificationDependencies {
  readonly failures: FailureLimiter;
}

/** The last check that says something about the caller and not about the request. */
const LAST_CHECK_OF_THE_CALLER = 8;
const EARLY_CHECKS = CHECKS.filter(({ number }) => number <= LAST_CHECK_BEFORE_POSTGRES);

/** Checks 2-14; check 1 is receiveBody. A public route passes after check 2, without a caller. */
export function verify(given: VerificationDependencies): Middleware {
  const deps: Verification = { ...given, failures: new FailureLimiter(given.nowMs) };
  return async (context, next) => {
    const match = deps.match(context.method, targetOf(context));
    const verdict = await runChecks(deps, context, match).catch((error: unknown): Problem => {
      // The key's secret, the nonces, the rates or the Idempotency-Key cannot be read. Fail closed.
      if (context.method === 'POST') count('gateway_idempotency_claims_total', { outcome: 'unavailable' });
      deps.log.error({ traceId: context.state.traceId, fault: faultOf(error) }, 'a request could not be verified');
      return problem('service_unavailable');
    });
    if (verdict !== undefined && 'kind' in verdict) {
      send(context, replyOfProblem(verdict, context.state.traceId, deps.docsUrl));
      return;
    }
    if (match.kind !== 'route') throw new Error('a request without a route passed every check');
    Object.assign(context.state, { route: match.route, params: match.params, ...verdict });
    const { caller } = context.state;
    await (caller === undefined ? next() : onBehalfOf(caller.operation.id, next));
  };
}

/** The first failure, or what passed: undefined for a public route. */
async function runChecks(
  deps: Verification,
  context: RequestContext,
  match: RouteMatch,
): Promise<PassedRequest | Problem | undefined> {
  const source = sourceAddressOf(context.req, deps.edge);
  if (deps.failures.isSpent(source)) return tooManyFailures();
  const isPublic = match.kind === 'route' && match.route.access === 'public';
  const asked = { source, environment: deps.environment };
  if (isPublic) {
    const authentication = await deps.authenticate({ ...asked, stage: 'source', keyId: '', nonce: '', buckets: [] });
    const first = firstFailure({ ...factsOf(deps, context, match), authentication }, CHECKS.slice(0, 2));
    return refused(deps, source, first);
  }
  if (!(await passesFlood(deps, context, match))) return tooManyFailures();
  const { facts, credential, failure } = await checkBeforePostgres(deps, context, match);
  context.state.isSigned = facts.signatureMatches;
  const { keyId, nonce } = facts;
  const buckets =
    credential === undefined
      ? []
      : bucketsOf({
          write: context.method === 'POST',
          listing: isListing(match),
          keyId: credential.keyId,
          operationId: credential.operationId,
        });
  // A request that already failed is not identified to Postgres.
  const claims =
    failure === undefined
      ? { operationId: credential?.operationId, keyId: keyId!, nonce: nonce!, buckets }
      : { keyId: '', nonce: '', buckets: [] };
  const { input, read, claim } =
    failure === undefined && credential !== undefined ? inTheSameQuery(deps, context, match, credential) : {};
  const authentication = await deps.authenticate({ ...asked, stage: stageOf(failure), ...claims, read, claim });
  const first = firstFailure({ ...facts, authentication });
  if (first !== undefined) return refused(deps, source, first);
  if (authentication.kind !== 'authenticated' || credential === undefined)
    throw new Error('no check failed, but the request is not authenticated');
  const { found, claimed } = authentication;
  return {
    caller: callerOf(credential, authentication, deps.environment),
    input,
    found,
    claim: claim === undefined || claimed === undefined ? undefined : { request: claim.claim, row: claimed },
  };
}

/** The answer to a failure, which counts against the address if it says something about the caller. */
function refused({ failures }: Verification, source: string, first: FailedCheck | undefined): Problem | undefined {
  if (first !== undefined && first.number <= LAST_CHECK_OF_THE_CALLER) failures.count(source);
  return first?.problem;
}

/** As check 2 would answer. */
const tooManyFailures = () => limitReached(namedRate(RATES.source), 1);

/** In a flood: a request that a key of this process' memory signed passes, and a few others. Otherwise all. */
async function passesFlood(deps: Verification, context: RequestContext, match: RouteMatch): Promise<boolean> {
  if (!deps.failures.isFlooded()) return true;
  return (await isOfKnownCaller(deps, context, match)) || !deps.failures.mustStrangerWait();
}

async function isOfKnownCaller(deps: Verification, context: RequestContext, match: RouteMatch): Promise<boolean> {
  const facts = factsOf(deps, context, match);
  if (firstFailure({ ...facts, signatureMatches: true }, EARLY_CHECKS) !== undefined) return false;
  const credential = await deps.credentials.remembered(facts.keyId!);
  return signatureMatches(signedRequest(facts, context), facts.signature, credential?.secret);
}

/** What verification adds to the context. */
interface PassedRequest {
  readonly caller: Caller;
  readonly input: Input | Problem | undefined;
  readonly found: readonly object[] | undefined;
  readonly claim: RequestState['claim'];
}

/** What else runs in the authentication query: a read or a claim. Invalid input is answered after the checks. */
interface InTheSameQuery {
  readonly input?: Input | Problem;
  readonly read?: AuthenticatedRead | undefined;
  readonly claim?: ConditionalClaim | undefined;
}

function inTheSameQuery(
  { reads, playerLimits }: VerificationDependencies,
  context: RequestContext,
  match: RouteMatch,
  { operationId }: Credential,
): InTheSameQuery {
  if (match.kind !== 'route') return {};
  const { route, params } = match;
  const readOf = reads[route.name];
  if (route.method === 'GET' && readOf === undefined) return {};
  const input = inputOf(context, route, params);
  const claim = conditionalClaim(context, route, { operationId, params, input, limitOf: playerLimits[route.name] });
  if (readOf === undefined || isProblem(input)) return { input, claim };
  return { input, claim, read: readOf({ params, query: input.query as never }) ?? undefined };
}

interface BeforePostgres {
  readonly facts: Facts;
  readonly credential: Credential | undefined;
  /** The first failure among the checks up to the signature. */
  readonly failure: FailedCheck | undefined;
}

/** Checks 3-6. Headers first: only a well-formed request costs a key lookup and a signature. */
async function checkBeforePostgres(
  deps: VerificationDependencies,
  context: RequestContext,
  match: RouteMatch,
): Promise<BeforePostgres> {
  const unsigned = factsOf(deps, context, match);
  const malformed = firstFailure({ ...unsigned, signatureMatches: true }, EARLY_CHECKS);
  if (malformed !== undefined) return { facts: unsigned, credential: undefined, failure: malformed };
  const { credential, cached } = await deps.credentials.find(unsigned.keyId!);
  const isSigned = signatureMatches(signedRequest(unsigned, context), unsigned.signature, credential?.secret);
  // Another operation's certificate is answered like another key's signature.
  const isOfOperation =
    credential !== undefined && certificateBelongsTo(credential.operationId, context.req, deps.edge);
  const facts = { ...unsigned, signatureMatches: isSigned && isOfOperation };
  if (!facts.signatureMatches && cached) await evenOut(deps, facts);
  return { facts, credential, failure: firstFailure(facts, EARLY_CHECKS) };
}

/** The signed text of a request, whose headers must be well formed. */
function signedRequest({ timestamp, nonce }: Facts, context: RequestContext) {
  const { method, state } = context;
  return { timestamp: timestamp!, nonce: nonce!, method, target: targetOf(context), body: state.body };
}

/** Loads a cached key again before a 401. Otherwise its timing would distinguish keys in use from invented ones. */
function evenOut({ credentials }: VerificationDependencies, { keyId }: Facts): Promise<void> {
  return credentials.load(keyId!);
}

function factsOf(deps: VerificationDependencies, context: RequestContext, match: RouteMatch): Facts {
  return {
    environment: deps.environment,
    nowSeconds: Math.floor(deps.nowMs() / 1_000),
    source: sourceAddressOf(context.req, deps.edge),
    bodyTooLarge: false,
    keyId: headerOf(context, 'svc-key-id'),
    timestamp: headerOf(context, 'svc-timestamp'),
    nonce: headerOf(context, 'svc-nonce'),
    signature: headerOf(context, 'svc-signature'),
    signatureMatches: false,
    match,
    method: context.method,
    idempotencyKey: headerOf(context, 'idempotency-key'),
    authentication: undefined,
  };
}

function stageOf(failure: FailedCheck | undefined): AuthenticationStage {
  if (failure === undefined) return 'signed';
  return failure.number === LAST_CHECK_BEFORE_POSTGRES ? 'signature_failed' : 'source';
}

function isListing(match: RouteMatch): boolean {
  return match.kind === 'route' && match.route.listing === true;
}

function callerOf(
  { keyId }: Credential,
  authenticated: AuthenticatedCaller,
  environment: 'sandbox' | 'production',
): Caller {
  const { operationId: id, operationName: name, provider, scopes, clock } = authenticated;
  return { keyId, scopes, operation: { id, name, environment, provider, ...(clock && { clock }) } };
}
