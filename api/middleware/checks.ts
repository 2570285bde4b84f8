// The fourteen checks of the specification's "Server verification order", as data. The first failure is the answer.
//
// A check is a pure function of the request's facts. The facts arrive in two steps: first from the request and the
// cached key, then from one query (authentication.ts) that stops at its first failure. Of two faults at once, the
// earlier check answers, even if a later step found its failure first.
import { type ErrorCode, type Problem, invalidField, problem } from '../../contract/http/errors.js';
import type { OperationClock } from '../../domain/operation-clock.js';
import type { AccountName } from '../../domain/provider-accounts.js';
import type { Scope } from '../../contract/http/route.js';
import type { ClaimRow } from '../../store/requests/idempotency-keys.js';
import type { RouteMatch } from './request.js';
import { keyIdFault, MISMATCH, nonceFault, signatureFormFault, timestampFault } from './credentials.js';
import { limitReached, type NamedLimit } from './limits.js';

export interface Facts {
  readonly environment: 'sandbox' | 'production';
  /** Unix seconds, whole. */
  readonly nowSeconds: number;
  /** The address that the request comes from, as check 8 sees it. */
  readonly source: string;
  readonly bodyTooLarge: boolean;
  readonly keyId: string | undefined;
  readonly timestamp: string | undefined;
  readonly nonce: string | undefined;
  readonly signature: string | undefined;
  /** The key exists and the signature belongs to the request. */
  readonly signatureMatches: boolean;
  readonly match: RouteMatch;
  readonly method: string;
  readonly idempotencyKey: string | undefined;
  /** `undefined` before the query. */
  readonly authentication: Authentication | undefined;
}

export type Authentication = Refusal | AuthenticatedCaller | SourceAccepted;
/** The check at which the query stopped. */
export interface Refusal {
  readonly kind: 'refused';
  readonly check: number;
  readonly code: ErrorCode;
  readonly retryAfterSeconds: number | undefined;
  /** Present with `rate_limited` only. */
  readonly limit?: NamedLimit | undefined;
}
/** Every check in Postgres passed; the operation and its key as they are now. */
export interface AuthenticatedCaller {
  readonly kind: 'authenticated';
  readonly operationId: string;
  readonly operationName: string;
  readonly provider: AccountName;
  readonly outage: boolean;
  readonly scopes: readonly Scope[];
  /** The operation's clock, where that is not real time. */
  readonly clock?: OperationClock | undefined;
  /** Rows of the read that ran in the same query; undefined when there was none. */
  readonly found?: readonly object[] | undefined;
  /** The outcome of the Idempotency-Key that was claimed in the same query; `undefined` if none was requested. */
  readonly claimed?: ClaimRow | undefined;
}
/** Only the source address was checked: an earlier check failed, or the route is public. */
export interface SourceAccepted {
  readonly kind: 'source_accepted';
}

export interface Check {
  readonly number: number;
  readonly title: string;
  readonly refuse: (facts: Facts) => Problem | undefined;
}

const IDEMPOTENCY_KEY = /^[A-Za-z0-9_.:-]{16,128}$/;
const OUTAGE_RETRY_SECONDS = 5;
const OUTAGE =
  'This operation’s simulated outage is on. `POST /v1/sandbox/outage` with `{"down": false}` ends it; meanwhile only ' +
  '`/v1/sandbox/*` answers.';
const PREFIX_HELP = {
  once: undefined,
  missing: 'There is no such route: every path begins with `/v1/`, and the signed path too.',
  twice: 'There is no such route: the path begins with `/v1/` twice; the base URL has it already.',
} as const;
const METHOD = /^[A-Z]{1,16}$/;

export const CHECKS: readonly Check[] = [
  { number: 1, title: 'body at most 64 KiB', refuse: (facts) => when(facts.bodyTooLarge, bodyTooLarge) },
  { number: 2, title: 'rate of the source address', refuse: (facts) => refusedBy(2, facts) },
  { number: 3, title: 'key id well formed and of this environment', refuse: refuseByKeyId },
  { number: 4, title: 'timestamp canonical and within the window', refuse: refuseByTimestamp },
  { number: 5, title: 'nonce well formed', refuse: ({ nonce }) => faulty('invalid_signature', nonceFault(nonce)) },
  { number: 6, title: 'key exists and signature matches', refuse: refuseBySignature },
  { number: 7, title: 'key active and of this environment', refuse: (facts) => refusedBy(7, facts) },
  { number: 8, title: 'source address in the allowlist', refuse: refuseBySource },
  { number: 9, title: 'nonce not seen before', refuse: (facts) => refusedBy(9, facts) },
  { number: 10, title: 'operation active', refuse: (facts) => refusedBy(10, facts) },
  { number: 11, title: 'rates of the key and the operation', refuse: (facts) => refusedBy(11, facts) },
  { number: 12, title: 'scope covers the route', refuse: refuseByScope },
  { number: 13, title: 'Idempotency-Key on every POST', refuse: refuseByIdempotencyKey },
  { number: 14, title: 'no simulated outage', refuse: refuseByOutage },
];

/** The last check that needs no query: the signature. */
export const LAST_CHECK_BEFORE_POSTGRES = 6;

export interface FailedCheck {
  readonly number: number;
  readonly problem: Problem;
}

/** The first check that fails, in order. */
export function firstFailure(facts: Facts, checks: readonly Check[] = CHECKS): FailedCheck | undefined {
  for (const { number, refuse } of checks) {
    const refusal = refuse(facts);
    if (refusal !== undefined) return { number, problem: refusal };
  }
  return undefined;
}

/** 413, the only `validation_failed` that is not a 400. */
export function bodyTooLarge(): Problem {
  return { ...invalidField('', 'too_large', 'the body is over 64 KiB'), status: 413 };
}

function when(failed: boolean, refusal: () => Problem): Problem | undefined {
  return failed ? refusal() : undefined;
}

function refusedBy(check: number, { authentication }: Facts): Problem | undefined {
  if (authentication?.kind !== 'refused' || authentication.check !== check) return undefined;
  const { code, retryAfterSeconds, limit } = authentication;
  if (retryAfterSeconds === undefined) return problem(code);
  return limit === undefined ? problem(code, { retryAfterSeconds }) : limitReached(limit, retryAfterSeconds);
}

function refuseByKeyId({ keyId, environment }: Facts): Problem | undefined {
  return faulty('unknown_key', keyIdFault(keyId, environment));
}

function refuseByTimestamp({ timestamp, nowSeconds }: Facts): Problem | undefined {
  return faulty('timestamp_out_of_window', timestampFault(timestamp, nowSeconds));
}

function faulty(code: ErrorCode, fault: string | undefined): Problem | undefined {
  return fault === undefined ? undefined : problem(code, { detail: fault });
}

/** The text depends on the request alone, so it does not reveal whether a key exists. */
function refuseBySignature(facts: Facts): Problem | undefined {
  const counted = refusedBy(6, facts);
  if (counted?.code === 'rate_limited') return counted;
  if (counted === undefined && facts.signatureMatches) return undefined;
  return problem('invalid_signature', { detail: signatureFormFault(facts.signature) ?? MISMATCH[facts.environment] });
}

/** Only whoever signed the request is told its own address. */
function refuseBySource(facts: Facts): Problem | undefined {
  const refusal = refusedBy(8, facts);
  if (refusal?.code !== 'ip_not_allowed') return refusal;
  return { ...refusal, detail: `The source address ${facts.source} is not in the operation’s allowlist.` };
}

function refuseByScope({ match, method, authentication }: Facts): Problem | undefined {
  if (authentication?.kind !== 'authenticated') return undefined;
  if (match.kind === 'unknown_path') {
    const detail = PREFIX_HELP[match.prefix];
    return problem('not_found', detail === undefined ? {} : { detail });
  }
  if (match.kind === 'unmapped_method') {
    const { methods } = match;
    return problem('insufficient_scope', {
      detail: `This path has no ${METHOD.test(method) ? method : 'such method'}; it has ${methods.join(' and ')}.`,
      allow: methods,
    });
  }
  const { access } = match.route;
  if (typeof access === 'string') return undefined;
  return when(!access.some((scope) => authentication.scopes.includes(scope)), () =>
    problem('insufficient_scope', {
      detail: `The key lacks the scope of this route: ${access.map((scope) => `\`${scope}\``).join(' or ')}.`,
    }),
  );
}

/** Whether a header's value can be claimed. */
export function isIdempotencyKey(value: string | undefined): value is string {
  return value !== undefined && IDEMPOTENCY_KEY.test(value);
}

function refuseByIdempotencyKey({ method, idempotencyKey }: Facts): Problem | undefined {
  if (method !== 'POST' || isIdempotencyKey(idempotencyKey)) return undefined;
  return invalidField(
    'Idempotency-Key',
    'required',
    'every POST needs one, 16 to 128 characters of A-Z a-z 0-9 _ . : -',
  );
}

function refuseByOutage({ match, authentication }: Facts): Problem | undefined {
  if (authentication?.kind !== 'authenticated' || !authentication.outage || match.kind !== 'route') return undefined;
  return when(match.route.sandboxOnly !== true, () =>
    problem('service_unavailable', { retryAfterSeconds: OUTAGE_RETRY_SECONDS, detail: OUTAGE }),
  );
}
