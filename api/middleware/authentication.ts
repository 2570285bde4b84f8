// Authentication's one database query: every check that needs shared or fresh state. For a request that passes them, a
// GET's read or the claim of a POST's Idempotency-Key runs in it too.
import { ERRORS, type ErrorCode } from '../../contract/http/errors.js';
import { type Scope, SCOPES } from '../../contract/http/route.js';
import type { OperationClock } from '../../domain/operation-clock.js';
import type { AccountName } from '../../domain/provider-accounts.js';
import { type Database, waitingFor } from '../../store/database.js';
import type { AuthenticatedRead } from '../../store/statements.js';
import { queryAuthentication } from '../../store/requests/authentication.js';
import { onBehalfOf } from '../../store/shared-pool.js';
import type { ClaimRow } from '../../store/requests/idempotency-keys.js';
import type { AuthenticatedCaller, Authentication } from './checks.js';
import type { ConditionalClaim } from './idempotency.js';
import { bounded } from '../../platform/http/bounded.js';
import { count } from '../../platform/telemetry/instruments.js';
import {
  type Bucket,
  namedRate,
  type NamedLimit,
  RATES,
  SIGNATURE_FAILURES,
  SIGNATURE_FAILURES_PER_MINUTE,
  WAITING,
  WAITING_REQUESTS,
} from './limits.js';

/**
 * How much to check: `source` only the address, `signature_failed` counts the failure and stops, `signed` everything.
 */
export type AuthenticationStage = 'source' | 'signature_failed' | 'signed';

export interface AuthenticationRequest {
  readonly stage: AuthenticationStage;
  /** Plain address (platform/http/request.ts). */
  readonly source: string;
  readonly environment: 'sandbox' | 'production';
  /** Whose key signed the request; undefined unless `stage` is `signed`. */
  readonly operationId?: string | undefined;
  /** Empty unless `stage` is `signed`. */
  readonly keyId: string;
  readonly nonce: string;
  readonly buckets: readonly Bucket[];
  /** A read to run in the same query, for the authenticated operation. */
  readonly read?: AuthenticatedRead | undefined;
  /** An Idempotency-Key to claim in the same query. */
  readonly claim?: ConditionalClaim | undefined;
}

export type Authenticate = (request: AuthenticationRequest) => Promise<Authentication>;

const TIMEOUT_MS = 3_000;
const TOO_MANY_WAIT: Authentication = {
  kind: 'refused',
  check: 11,
  code: 'rate_limited',
  retryAfterSeconds: 1,
  limit: WAITING,
};

/** The function's result. */
interface Verdict {
  readonly refused_check: number | null;
  readonly code: string | null;
  readonly retry_after: number | null;
  /** Check 11 only: position of the exhausted bucket, from 1. */
  readonly refused_bucket: number | null;
  readonly operation_id: string | null;
  readonly operation_name: string | null;
  readonly provider: string | null;
  readonly outage: boolean | null;
  readonly scopes: readonly string[] | null;
  /** Outside production. */
  readonly clock?: OperationClock | null;
}

/** Authenticates against Postgres. Rejects when Postgres does not answer; the caller then fails closed. */
export function authenticateThrough(database: Database): Authenticate {
  return async (request) => {
    const { read, claim, operationId, ...call } = request;
    if (operationId !== undefined && waitingFor(database, operationId) >= WAITING_REQUESTS) {
      count('gateway_database_share_refusals_total', { why: 'queue_full' });
      return TOO_MANY_WAIT;
    }
    const limits = {
      sourceRate: RATES.source,
      nonceRate: RATES.nonces,
      signatureFailuresPerMinute: SIGNATURE_FAILURES_PER_MINUTE,
    };
    const ask = () => queryAuthentication(database, { ...call, ...limits }, { read, claim });
    const query = operationId === undefined ? ask() : onBehalfOf(operationId, ask);
    const rows = await bounded(query, TIMEOUT_MS, 'Postgres');
    const verdict = rows[0]?.authentication;
    if (verdict == null) throw new Error('the authentication query returned no row');
    const found = request.read === undefined ? undefined : rows.filter((row) => row.id !== null);
    const claimed = request.claim === undefined ? undefined : (rows[0] as ClaimRow);
    return authenticationOf(request, JSON.parse(verdict) as Verdict, { found, claimed });
  };
}

function authenticationOf(
  { buckets }: AuthenticationRequest,
  verdict: Verdict,
  more: Pick<AuthenticatedCaller, 'found' | 'claimed'>,
): Authentication {
  const {
    refused_check: check,
    code,
    retry_after: retryAfter,
    operation_id: operationId,
    operation_name: operationName,
    provider,
    outage,
    scopes,
    clock,
  } = verdict;
  if (check !== null && code === 'rate_limited') {
    const limit = limitOf(check, buckets[(verdict.refused_bucket ?? 0) - 1]);
    return { kind: 'refused', check, code, retryAfterSeconds: retryAfter ?? 1, limit };
  }
  if (check !== null) return { kind: 'refused', check, code: codeOf(code), retryAfterSeconds: undefined };
  if (operationId === null) return { kind: 'source_accepted' };
  return {
    kind: 'authenticated',
    operationId,
    operationName: operationName ?? '',
    provider: provider as AccountName,
    outage: outage === true,
    scopes: SCOPES.filter((scope: Scope) => scopes?.includes(scope) === true),
    ...(clock == null ? {} : { clock }),
    ...more,
  };
}

/** The limit behind a `rate_limited` of that check. */
function limitOf(check: number, bucket: Bucket | undefined): NamedLimit | undefined {
  if (check === 2) return namedRate(RATES.source);
  if (check === 6) return SIGNATURE_FAILURES;
  if (check === 9) return namedRate(RATES.nonces);
  return bucket === undefined ? undefined : namedRate(bucket.rate);
}

function codeOf(code: string | null): ErrorCode {
  if (code === null || !Object.hasOwn(ERRORS, code))
    throw new Error(`the authentication query returned the code ${code ?? 'null'}`);
  return code as ErrorCode;
}
