// The authentication query: one call of `authenticate_request`, with a GET's read or the claim of a POST's
// Idempotency-Key for a request that passes it.
import { Prisma } from '../../prisma/generated/client.js';
import { type AuthenticatedRead, rowsOf } from '../statements.js';
import type { Database } from '../database.js';
import type { BucketRate } from '../rate-buckets.js';
import { claimCall, type ClaimRow, type KeyClaim } from './idempotency-keys.js';

/** The arguments of `authenticate_request`. */
export interface AuthenticationCall {
  /** `source` checks only the address, `signature_failed` counts the failure and stops, `signed` checks everything. */
  readonly stage: 'source' | 'signature_failed' | 'signed';
  readonly source: string;
  readonly environment: 'sandbox' | 'production';
  /** Empty unless `stage` is `signed`. */
  readonly keyId: string;
  readonly nonce: string;
  readonly sourceRate: BucketRate;
  readonly nonceRate: BucketRate;
  readonly signatureFailuresPerMinute: number;
  readonly buckets: readonly { readonly name: string; readonly rate: BucketRate }[];
}

/** A claim that is made only if the request passes every check. */
export interface ConditionalKeyClaim {
  readonly claim: KeyClaim;
  /** The key needs one of these; null: any key will do. */
  readonly scopes: readonly string[] | null;
  /** Whether the route works during a simulated outage. */
  readonly evenInOutage: boolean;
}

/** One row with the claim's columns, or one per row of the read with the read's columns. */
export interface AuthenticationRow extends Partial<ClaimRow> {
  /** The function's answer, as JSON. In the first row only: repeating it would double the size of a small result. */
  readonly authentication: string | null;
  /** `null` when the read found nothing. */
  readonly id?: string | null;
}

/** Runs the query. At most one of `read` and `claim` is given. */
export function queryAuthentication(
  database: Database,
  call: AuthenticationCall,
  { read, claim }: { read?: AuthenticatedRead | undefined; claim?: ConditionalKeyClaim | undefined },
): Promise<AuthenticationRow[]> {
  if (claim !== undefined) return rowsOf<AuthenticationRow>(database, authenticateAndClaim(call, claim));
  if (read !== undefined) return rowsOf<AuthenticationRow>(database, authenticateAndRead(call, read), read.planning);
  return rowsOf<AuthenticationRow>(database, authenticate(call));
}

function authenticate(call: AuthenticationCall): Prisma.Sql {
  const { stage, source, environment, keyId, nonce, sourceRate, nonceRate, buckets } = call;
  const names = buckets.map(({ name }) => name);
  const perSecond = buckets.map(({ rate }) => rate.perSecond);
  const bursts = buckets.map(({ rate }) => rate.burst);
  const answer =
    environment === 'production'
      ? Prisma.sql`to_json(authenticated)`
      : Prisma.sql`(to_jsonb(authenticated) || jsonb_build_object(
          'clock', (SELECT clock FROM operation WHERE operation.id = authenticated.operation_id)))`;
  return Prisma.sql`
    SELECT operation_id, scopes, outage, ${answer}::text AS authentication FROM authenticate_request(
      ${source}::text, ${sourceRate.perSecond}::float8, ${sourceRate.burst}::float8,
      ${stage}::text, ${call.signatureFailuresPerMinute}::integer,
      ${keyId}::text, ${environment}::text, ${nonce}::text,
      ${nonceRate.perSecond}::float8, ${nonceRate.burst}::float8,
      ${names}::text[], ${perSecond}::float8[], ${bursts}::float8[]) AS authenticated`;
}

function authenticateAndRead(call: AuthenticationCall, read: AuthenticatedRead): Prisma.Sql {
  // OFFSET 0 keeps Postgres from building the JSON once per row of the read.
  const found = read.of(Prisma.sql`authenticated.operation_id`);
  return Prisma.sql`
    SELECT CASE row_number() OVER () WHEN 1 THEN authentication END AS authentication, found.*
    FROM (${authenticate(call)} OFFSET 0) AS authenticated LEFT JOIN LATERAL (${found}) AS found ON true`;
}

/** Claims for no operation, hence nothing, when a check of the query or one after it (12, 14) fails. */
function authenticateAndClaim(
  call: AuthenticationCall,
  { claim, scopes, evenInOutage }: ConditionalKeyClaim,
): Prisma.Sql {
  const operationId = Prisma.sql`
    CASE WHEN (${scopes}::text[] IS NULL OR authenticated.scopes && ${scopes}::text[])
      AND (${evenInOutage}::boolean OR NOT authenticated.outage) THEN authenticated.operation_id END`;
  return Prisma.sql`
    SELECT authentication, claimed.*
    FROM (${authenticate(call)} OFFSET 0) AS authenticated
    CROSS JOIN LATERAL ${claimCall(operationId, claim)} AS claimed`;
}
