// Authentication's one database query: every check that needs shared or fresh state. For a request that passes them, a
// GET's read or the claim of a POST's Idempotency-Key runs in it too.
import { ERRORS, type ErrorCode } from '../../contract/http/errors.js';
import { type Scope, SCOPES } from '../../contract/http/route.js';
import type { AccountName } from '../../domain/provider-accounts.js';
import { Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../../store/database.js';
import type { AuthenticatedRead } from '../../store/authenticated-read.js';
import { rowsOf } from '../../store/statements.js';
import type { Authenticated, Authentication } from './checks.js';
import { claimCall, type ClaimRow, type ConditionalClaim } from './claim.js';
import { bounded } from '../../platform/http/bounded.js';
import {
  type Bucket,
  namedRate,
  type NamedLimit,
  RATES,
  SIGNATURE_FAILURES,
  SIGNATURE_FAILURES_PER_MINUTE,
} from './limits.js';

/** How far to check: `source`, only the address; `signature_failed`, count it and stop; `signed`, everything. */
export type AuthenticationStage = 'source' | 'signature_failed' | 'signed';

export interface AuthenticationRequest {
  readonly stage: AuthenticationStage;
  /** Plain address (source-address.ts). */
  readonly source: string;
  readonly environment: 'sandbox' | 'production';
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
}

/** One row with the claim's columns, or one per row of the read with the read's columns. */
interface Row extends Partial<ClaimRow> {
  /** A {@link Verdict} as JSON. First row only: repeating it would double the size of a small result. */
  readonly authentication: string | null;
  /** Null when the read found nothing. */
  readonly id?: string | null;
}

/** Authenticates against Postgres. Rejects when Postgres does not answer; the caller then fails closed. */
export function authenticateThrough(database: Database): Authenticate {
  return async (request) => {
    const rows = await bounded(queryAuthentication(database, request), TIMEOUT_MS, 'Postgres');
    const verdict = rows[0]?.authentication;
    if (verdict == null) throw new Error('the authentication query returned no row');
    const found = request.read === undefined ? undefined : rows.filter(({ id }) => id !== null);
    const claimed = request.claim === undefined ? undefined : (rows[0] as ClaimRow);
    return authenticationOf(request, JSON.parse(verdict) as Verdict, { found, claimed });
  };
}

function queryAuthentication(database: Database, request: AuthenticationRequest): Promise<Row[]> {
  const { read, claim } = request;
  if (claim !== undefined) return rowsOf<Row>(database, authenticateAndClaim(request, claim));
  if (read !== undefined) return rowsOf<Row>(database, authenticateAndRead(request, read), read.planning);
  return rowsOf<Row>(database, authenticate(request));
}

function authenticate({ stage, source, environment, keyId, nonce, buckets }: AuthenticationRequest): Prisma.Sql {
  const names = buckets.map(({ name }) => name);
  const perSecond = buckets.map(({ rate }) => rate.perSecond);
  const bursts = buckets.map(({ rate }) => rate.burst);
  return Prisma.sql`
    SELECT operation_id, scopes, outage, to_json(authenticated)::text AS authentication FROM authenticate_request(
      ${source}::text, ${RATES.source.perSecond}::float8, ${RATES.source.burst}::float8,
      ${stage}::text, ${SIGNATURE_FAILURES_PER_MINUTE}::integer,
      ${keyId}::text, ${environment}::text, ${nonce}::text,
      ${RATES.nonces.perSecond}::float8, ${RATES.nonces.burst}::float8,
      ${names}::text[], ${perSecond}::float8[], ${bursts}::float8[]) AS authenticated`;
}

function authenticateAndRead(request: AuthenticationRequest, read: AuthenticatedRead): Prisma.Sql {
  // OFFSET 0 keeps Postgres from building the JSON once per row of the read.
  const found = read.of(Prisma.sql`authenticated.operation_id`);
  return Prisma.sql`
    SELECT CASE row_number() OVER () WHEN 1 THEN authentication END AS authentication, found.*
    FROM (${authenticate(request)} OFFSET 0) AS authenticated LEFT JOIN LATERAL (${found}) AS found ON true`;
}

/** Claims for no operation, hence nothing, when a check of the query or one after it (12, 14) fails. */
function authenticateAndClaim(
  request: AuthenticationRequest,
  { claim, scopes, evenInOutage }: ConditionalClaim,
): Prisma.Sql {
  const operationId = Prisma.sql`
    CASE WHEN (${scopes}::text[] IS NULL OR authenticated.scopes && ${scopes}::text[])
      AND (${evenInOutage}::boolean OR NOT authenticated.outage) THEN authenticated.operation_id END`;
  return Prisma.sql`
    SELECT authentication, claimed.*
    FROM (${authenticate(request)} OFFSET 0) AS authenticated
    CROSS JOIN LATERAL ${claimCall(operationId, claim)} AS claimed`;
}

function authenticationOf(
  { buckets }: AuthenticationRequest,
  verdict: Verdict,
  more: Pick<Authenticated, 'found' | 'claimed'>,
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
