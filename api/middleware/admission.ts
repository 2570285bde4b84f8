// The one database round trip of authentication: the checks that need shared or fresh state, in one statement.
import { ERRORS, type ErrorCode } from '../../contract/http/errors.js';
import { type Scope, SCOPES } from '../../contract/http/route.js';
import { Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../../store/client.js';
import { rowOf } from '../../store/statements.js';
import { bounded } from './bounded.js';
import type { Admission } from './checks.js';
import { type Bucket, RATES, SIGNATURE_FAILURES_PER_MINUTE } from './limits.js';

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
}

export type Admit = (request: AdmissionRequest) => Promise<Admission>;

const TIMEOUT_MS = 3_000;

interface Row {
  refused_check: number | null;
  code: string | null;
  retry_after: number | null;
  operation_id: string | null;
  operation_name: string | null;
  provider: string | null;
  outage: boolean | null;
  scopes: string[] | null;
}

/** Asks Postgres; rejects when it does not answer (the caller then fails closed). */
export function admitThrough(database: Database): Admit {
  return async (request) => {
    return admissionOf(await bounded(callAdmitRequest(database, request), TIMEOUT_MS, 'Postgres'));
  };
}

function callAdmitRequest(database: Database, { stage, source, environment, keyId, nonce, buckets }: AdmissionRequest): Promise<Row | null> {
  const names = buckets.map(({ name }) => name);
  const perSecond = buckets.map(({ rate }) => rate.perSecond);
  const bursts = buckets.map(({ rate }) => rate.burst);
  return rowOf<Row>(database, Prisma.sql`
    SELECT * FROM admit_request(
      ${source}::text, ${RATES.source.perSecond}::float8, ${RATES.source.burst}::float8,
      ${stage}::text, ${SIGNATURE_FAILURES_PER_MINUTE}::integer,
      ${keyId}::text, ${environment}::text, ${nonce}::text,
      ${RATES.nonces.perSecond}::float8, ${RATES.nonces.burst}::float8,
      ${names}::text[], ${perSecond}::float8[], ${bursts}::float8[])`);
}

function admissionOf(row: Row | null): Admission {
  if (row === null) throw new Error('admit_request answered no row');
  if (row.refused_check !== null) {
    const retryAfterSeconds = row.code === 'rate_limited' ? (row.retry_after ?? 1) : undefined;
    return { kind: 'refused', check: row.refused_check, code: codeOf(row.code), retryAfterSeconds };
  }
  if (row.operation_id === null) return { kind: 'address_admitted' };
  return {
    kind: 'admitted',
    operationId: row.operation_id,
    operationName: row.operation_name ?? '',
    provider: row.provider as 'simulator' | 'a' | 'b',
    outage: row.outage === true,
    scopes: SCOPES.filter((scope: Scope) => row.scopes?.includes(scope) === true),
  };
}

function codeOf(code: string | null): ErrorCode {
  if (code === null || !Object.hasOwn(ERRORS, code)) throw new Error(`admit_request answered the code ${code ?? 'null'}`);
  return code as ErrorCode;
}
