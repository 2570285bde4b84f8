// The fourteen checks of the specification's "Server verification order", as data: the first that fails answers.
//
// A check is a pure question about the facts of a request. The facts come in two steps: what the request itself and the
// cached key say, then what one statement in Postgres says (admission.ts), which stops at the first of its own checks that
// fails. So two faults at once are always answered by the earlier one, whichever step found it.
import { type ErrorCode, type Problem, invalidField, problem } from '../../contract/http/errors.js';
import type { Scope } from '../../contract/http/route.js';
import type { RouteMatch } from './route-matcher.js';
import { keyIdFault, MISMATCH, nonceFault, signatureFormFault, timestampFault } from './credential-faults.js';
import { limitReached, type NamedLimit } from './limits.js';

export interface Facts {
  readonly environment: 'sandbox' | 'production';
  /** Unix seconds, whole. */
  readonly nowSeconds: number;
  readonly bodyTooLarge: boolean;
  readonly keyId: string | undefined;
  readonly timestamp: string | undefined;
  readonly nonce: string | undefined;
  readonly signature: string | undefined;
  /** The key exists and the signature is that of the request. */
  readonly signatureMatches: boolean;
  readonly match: RouteMatch;
  readonly method: string;
  readonly idempotencyKey: string | undefined;
  /** Undefined until Postgres was asked. */
  readonly admission: Admission | undefined;
}

export type Admission = Refusal | Admitted | AddressAdmitted;
/** Where the statement stopped. */
export interface Refusal {
  readonly kind: 'refused';
  readonly check: number;
  readonly code: ErrorCode;
  readonly retryAfterSeconds: number | undefined;
  /** Of `rate_limited`. */
  readonly limit?: NamedLimit | undefined;
}
/** Everything that Postgres checks is right; the operation and its key as they are now. */
export interface Admitted {
  readonly kind: 'admitted';
  readonly operationId: string;
  readonly operationName: string;
  readonly provider: 'simulator' | 'a' | 'b';
  readonly outage: boolean;
  readonly scopes: readonly Scope[];
  /** The rows of the read that came with the request; undefined if none did. */
  readonly found?: readonly object[] | undefined;
}
/** Only the address was asked about: a check before the signature failed, or the route is public. */
export interface AddressAdmitted {
  readonly kind: 'address_admitted';
}

export interface Check {
  readonly number: number;
  readonly title: string;
  readonly refuse: (facts: Facts) => Problem | undefined;
}

const IDEMPOTENCY_KEY = /^[A-Za-z0-9_.:-]{16,128}$/;
const OUTAGE_RETRY_SECONDS = 5;

export const CHECKS: readonly Check[] = [
  { number: 1, title: 'body at most 64 KiB', refuse: (facts) => when(facts.bodyTooLarge, bodyTooLarge) },
  { number: 2, title: 'rate of the source address', refuse: (facts) => refusedBy(2, facts) },
  { number: 3, title: 'key id well formed and of this environment', refuse: refuseByKeyId },
  { number: 4, title: 'timestamp canonical and within the window', refuse: refuseByTimestamp },
  { number: 5, title: 'nonce well formed', refuse: ({ nonce }) => faulty('invalid_signature', nonceFault(nonce)) },
  { number: 6, title: 'key exists and signature matches', refuse: refuseBySignature },
  { number: 7, title: 'key active and of this environment', refuse: (facts) => refusedBy(7, facts) },
  { number: 8, title: 'source address in the allowlist', refuse: (facts) => refusedBy(8, facts) },
  { number: 9, title: 'nonce not seen before', refuse: (facts) => refusedBy(9, facts) },
  { number: 10, title: 'operation active', refuse: (facts) => refusedBy(10, facts) },
  { number: 11, title: 'rates of the key and the operation', refuse: (facts) => refusedBy(11, facts) },
  { number: 12, title: 'scope covers the route', refuse: refuseByScope },
  { number: 13, title: 'Idempotency-Key on every POST', refuse: refuseByIdempotencyKey },
  { number: 14, title: 'no simulated outage', refuse: refuseByOutage },
];

/** What can be asked before Postgres is: everything up to the signature. */
export const LAST_CHECK_BEFORE_ADMISSION = 6;

export interface FailedCheck {
  readonly number: number;
  readonly problem: Problem;
}

/** The first check, in order, that the facts fail. */
export function firstFailure(facts: Facts, checks: readonly Check[] = CHECKS): FailedCheck | undefined {
  for (const { number, refuse } of checks) {
    const refusal = refuse(facts);
    if (refusal !== undefined) return { number, problem: refusal };
  }
  return undefined;
}

/** 413: the one status besides 400 of `validation_failed`. */
export function bodyTooLarge(): Problem {
  return { ...invalidField('', 'too_large', 'the body is over 64 KiB'), status: 413 };
}

function when(failed: boolean, refusal: () => Problem): Problem | undefined {
  return failed ? refusal() : undefined;
}

function refusedBy(check: number, { admission }: Facts): Problem | undefined {
  if (admission?.kind !== 'refused' || admission.check !== check) return undefined;
  const { code, retryAfterSeconds, limit } = admission;
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

/** The text depends on the request alone: a key that exists and one that does not are refused alike. */
function refuseBySignature(facts: Facts): Problem | undefined {
  const counted = refusedBy(6, facts);
  if (counted?.code === 'rate_limited') return counted;
  if (counted === undefined && facts.signatureMatches) return undefined;
  return problem('invalid_signature', { detail: signatureFormFault(facts.signature) ?? MISMATCH[facts.environment] });
}

function refuseByScope({ match, admission }: Facts): Problem | undefined {
  if (admission?.kind !== 'admitted') return undefined;
  if (match.kind === 'unknown_path') return problem('not_found');
  if (match.kind === 'unmapped_method') return problem('insufficient_scope');
  const { access } = match.route;
  if (typeof access === 'string') return undefined;
  return when(!access.some((scope) => admission.scopes.includes(scope)), () => problem('insufficient_scope'));
}

function refuseByIdempotencyKey({ method, idempotencyKey }: Facts): Problem | undefined {
  if (method !== 'POST' || IDEMPOTENCY_KEY.test(idempotencyKey ?? '')) return undefined;
  return invalidField(
    'Idempotency-Key',
    'required',
    'every POST needs one, 16 to 128 characters of A-Z a-z 0-9 _ . : -',
  );
}

function refuseByOutage({ match, admission }: Facts): Problem | undefined {
  if (admission?.kind !== 'admitted' || !admission.outage || match.kind !== 'route') return undefined;
  return when(match.route.sandboxOnly !== true, () =>
    problem('service_unavailable', { retryAfterSeconds: OUTAGE_RETRY_SECONDS }),
  );
}
