// The log of the operations' own calls: written in batches beside the requests, read by the operation alone.
import { Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';
import { rowsOf } from '../statements.js';

/** A call as it is logged. Nothing in it names a player. */
export interface LoggedCall {
  readonly keyId: string;
  readonly traceId: string;
  /** RFC 3339. */
  readonly receivedAt: string;
  /** Whether the key's secret signed it. */
  readonly isSigned: boolean;
  readonly method: string;
  readonly route: string | null;
  readonly objectId: string | null;
  readonly status: number;
  readonly code: string | null;
  readonly detail: string | null;
  readonly errors: readonly { readonly field: string | null; readonly reason: string }[];
  readonly isReplayed: boolean;
  readonly durationMs: number;
  readonly address: string;
  readonly signedTimestamp: string | null;
  readonly signedNonce: string | null;
  readonly bodySha256: string;
  readonly canonicalSha256: string | null;
}

export interface StoredCall extends LoggedCall {
  /** Ascending, the text of an integer. */
  readonly id: string;
}

/** Stores calls with the operations of their keys. A call whose key does not exist is nobody's, and is left out. */
export async function storeCalls(database: Database, calls: readonly LoggedCall[]): Promise<void> {
  await rowsOf(
    database,
    Prisma.sql`
      INSERT INTO request_log (operation_id, key_id, trace_id, received_at, is_signed, method, route, object_id, status,
        code, detail, errors, is_replayed, duration_ms, address, signed_timestamp, signed_nonce, body_sha256,
        canonical_sha256)
      SELECT api_key.operation_id, api_key.key_id, "traceId", "receivedAt", "isSigned", method, route, "objectId",
        status, code, detail, errors, "isReplayed", "durationMs", address, "signedTimestamp", "signedNonce",
        "bodySha256", "canonicalSha256"
      FROM ROWS FROM (jsonb_to_recordset(${JSON.stringify(calls)}::jsonb) AS ("keyId" text, "traceId" text,
        "receivedAt" timestamptz, "isSigned" boolean, method text, route text, "objectId" text, status integer,
        code text, detail text, errors jsonb, "isReplayed" boolean, "durationMs" integer, address text,
        "signedTimestamp" text, "signedNonce" text, "bodySha256" text, "canonicalSha256" text)) WITH ORDINALITY AS call
      JOIN api_key ON api_key.key_id = call."keyId" ORDER BY call.ordinality`,
  );
}

export interface CallFilter {
  readonly operationId: string;
  readonly traceId: string | undefined;
  /** Only refused ones, or only the others. */
  readonly isRefused: boolean | undefined;
  /** The last call of the page before. */
  readonly beforeId: bigint | undefined;
  readonly limit: number;
}

/** A page of the operation's calls, newest first. */
export async function readCalls(
  database: Database,
  { operationId, traceId, isRefused, beforeId, limit }: CallFilter,
): Promise<{ readonly calls: readonly StoredCall[]; readonly hasMore: boolean }> {
  const rows = await rowsOf<StoredCall>(
    database,
    Prisma.sql`
      SELECT id, key_id AS "keyId", trace_id AS "traceId", received_at AS "receivedAt", is_signed AS "isSigned", method,
        route, object_id AS "objectId", status, code, detail, errors, is_replayed AS "isReplayed",
        duration_ms AS "durationMs", address, signed_timestamp AS "signedTimestamp", signed_nonce AS "signedNonce",
        body_sha256 AS "bodySha256", canonical_sha256 AS "canonicalSha256"
      FROM request_log
      WHERE operation_id = ${operationId}
        ${traceId === undefined ? Prisma.empty : Prisma.sql`AND trace_id = ${traceId}`}
        ${isRefused === undefined ? Prisma.empty : isRefused ? Prisma.sql`AND status >= 400` : Prisma.sql`AND status < 400`}
        ${beforeId === undefined ? Prisma.empty : Prisma.sql`AND id < ${beforeId.toString()}::bigint`}
      ORDER BY id DESC LIMIT ${limit + 1}`,
    'for_its_values',
  );
  return { calls: rows.slice(0, limit), hasMore: rows.length > limit };
}
