// The one database round trip of authentication: the checks that need shared or fresh state, in one statement.
import { ERRORS, type ErrorCode } from '../../contract/http/errors.js';
import { type Scope, SCOPES } from '../../contract/http/route.js';
import { Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../../store/database.js';
import type { AuthenticatedRead } from '../../store/authenticated-read.js';
import { rowsOf } from '../../store/statements.js';
import { bounded } from './bounded.js';
import type { Admission } from './checks.js';
import {
  type Bucket,
  namedRate,
  type NamedLimit,
  RATES,
  SIGNATURE_FAILURES,
  SIGNATURE_FAILURES_PER_MINUTE,
} from './limits.js';

/** What the request itself said. `source`: stop after the address. `signature_failed`: count it, then stop. */
export type AdmissionStage = 'source' | 'signature_failed' | 'signed';

export interface AdmissionRequest {
  readonly stage: AdmissionStage;
  /** Plain address, see source-address.ts. */
  readonly source: string;
  readonly environment: 'sandbox' | 'production';
  /** Only for `signed`. */
  readonly keyId: string;
  readonly nonce: string;
  readonly buckets: readonly Bucket[];
  /** Carried out for the operation that is admitted. */
  readonly read?: AuthenticatedRead | undefined;
}

export type Admit = (request: AdmissionRequest) => Promise<Admission>;

const TIMEOUT_MS = 3_000;

/** What the function answers. */
interface Verdict {
  readonly refused_check: number | null;
  readonly code: string | null;
  readonly retry_after: number | null;
  /** Of check 11: which of the buckets, from 1. */
  readonly refused_bucket: number | null;
  readonly operation_id: string | null;
  readonly operation_name: string | null;
  readonly provider: string | null;
  readonly outage: boolean | null;
  readonly scopes: readonly string[] | null;
}

/** One row, or as many as the read finds, with its columns beside. */
interface Row {
  /** A {@link Verdict} as JSON, in the first row: it takes as much room as a small row that is found. */
  readonly admission: string | null;
  /** Null when the read found nothing. */
  readonly id?: string | null;
}

/** Asks Postgres; rejects when it does not answer (the caller then fails closed). */
export function admitThrough(database: Database): Admit {
  return async (request) => {
    const rows = await bounded(callAdmitRequest(database, request), TIMEOUT_MS, 'Postgres');
    const verdict = rows[0]?.admission;
    if (verdict == null) throw new Error('admit_request answered nothing');
    const found = request.read === undefined ? undefined : rows.filter(({ id }) => id !== null);
    return admissionOf(request, JSON.parse(verdict) as Verdict, found);
  };
}

function callAdmitRequest(
  database: Database,
  { stage, source, environment, keyId, nonce, buckets, read }: AdmissionRequest,
): Promise<Row[]> {
  const names = buckets.map(({ name }) => name);
  const perSecond = buckets.map(({ rate }) => rate.perSecond);
  const bursts = buckets.map(({ rate }) => rate.burst);
  const admission = Prisma.sql`
    SELECT operation_id, to_json(admitted)::text AS admission FROM admit_request(
      ${source}::text, ${RATES.source.perSecond}::float8, ${RATES.source.burst}::float8,
      ${stage}::text, ${SIGNATURE_FAILURES_PER_MINUTE}::integer,
      ${keyId}::text, ${environment}::text, ${nonce}::text,
      ${RATES.nonces.perSecond}::float8, ${RATES.nonces.burst}::float8,
      ${names}::text[], ${perSecond}::float8[], ${bursts}::float8[]) AS admitted`;
  if (read === undefined) return rowsOf<Row>(database, admission);
  // OFFSET 0: the JSON is made once and not for every row that is found.
  const found = read.of(Prisma.sql`admitted.operation_id`);
  return rowsOf<Row>(
    database,
    Prisma.sql`SELECT CASE row_number() OVER () WHEN 1 THEN admission END AS admission, found.* FROM (${admission} OFFSET 0) AS admitted LEFT JOIN LATERAL (${found}) AS found ON true`,
    read.planning,
  );
}

function admissionOf({ buckets }: AdmissionRequest, verdict: Verdict, found: readonly object[] | undefined): Admission {
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
  if (operationId === null) return { kind: 'address_admitted' };
  return {
    kind: 'admitted',
    operationId,
    operationName: operationName ?? '',
    provider: provider as 'simulator' | 'a' | 'b',
    outage: outage === true,
    scopes: SCOPES.filter((scope: Scope) => scopes?.includes(scope) === true),
    found,
  };
}

/** The limit that a check holds. */
function limitOf(check: number, bucket: Bucket | undefined): NamedLimit | undefined {
  if (check === 2) return namedRate(RATES.source);
  if (check === 6) return SIGNATURE_FAILURES;
  if (check === 9) return namedRate(RATES.nonces);
  return bucket === undefined ? undefined : namedRate(bucket.rate);
}

function codeOf(code: string | null): ErrorCode {
  if (code === null || !Object.hasOwn(ERRORS, code))
    throw new Error(`admit_request answered the code ${code ?? 'null'}`);
  return code as ErrorCode;
}
