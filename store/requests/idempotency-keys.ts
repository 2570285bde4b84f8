// Idempotency-Keys (specification, "Idempotency"): the claim, which runs in the authentication query, the end of a
// claimed request, and the sweep of old keys. SQL: each is one statement that decides by the row itself.
import { Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';
import { rowsOf } from '../statements.js';

export interface KeyClaim {
  readonly operationId: string;
  readonly key: string;
  readonly fingerprint: Uint8Array<ArrayBuffer>;
  /** The object id of a new reservation, for a route that creates an object. */
  readonly newObjectId: string | undefined;
  /** A limit of creations in a sliding hour that the request counts against. */
  readonly playerLimit: { readonly bucket: string; readonly limit: number } | undefined;
  /** Stored with the key, so that a payment can be found by the trace id in a caller's log. */
  readonly traceId: string;
  /** The payment in the path. */
  readonly subjectId: string | undefined;
}

/** The result of `claim_idempotency_key`. `outcome` is null when there was no operation to claim the key for. */
export interface ClaimRow {
  readonly outcome: 'owned' | 'finished' | 'in_progress' | 'reused' | 'limited' | null;
  readonly token: string | null;
  readonly object_id: string | null;
  readonly retry_after: number | null;
  readonly response_status: number | null;
  readonly response_content_type: string | null;
  readonly response_headers: Record<string, string> | null;
  readonly response_sealed: Buffer | null;
}

/** A claimed key, guarded by a fencing token. */
export interface HeldKey {
  readonly operationId: string;
  readonly key: string;
  readonly token: string;
}

/** A response as it is recorded. */
export interface RecordedResponse {
  readonly status: number;
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bodySealed: Uint8Array<ArrayBuffer>;
}

/** The call that claims a key and returns a {@link ClaimRow}. `operationId`: an expression; null claims nothing. */
export function claimCall(operationId: Prisma.Sql, claim: KeyClaim): Prisma.Sql {
  const { key, fingerprint, newObjectId, playerLimit, traceId, subjectId } = claim;
  return Prisma.sql`
    claim_idempotency_key(
      ${operationId}::text, ${key}::text, ${fingerprint}::bytea, ${newObjectId ?? null}::text,
      ${playerLimit?.bucket ?? null}::text, ${playerLimit?.limit ?? null}::integer,
      ${traceId}::text, ${subjectId ?? null}::text)`;
}

/**
 * Records the response; `uncounted` is a hit on a player's limit to delete with it. `false` if another run took the key
 * over and finishes instead. The same token may write the same response again.
 */
export async function finishKey(
  database: Database,
  { operationId, key, token }: HeldKey,
  { status, contentType, headers, bodySealed }: RecordedResponse,
  uncounted: { readonly bucket: string; readonly objectId: string } | undefined,
): Promise<boolean> {
  const finished = await rowsOf(
    database,
    Prisma.sql`
      WITH finished AS (
        UPDATE idempotency_key SET state = 'finished', response_status = ${status}::integer,
          response_content_type = ${contentType}::text, response_headers = ${JSON.stringify(headers)}::jsonb,
          response_sealed = ${bodySealed}::bytea
        WHERE operation_id = ${operationId}::text AND key = ${key}::text
          AND token = ${token}::uuid AND state <> 'released'
        RETURNING key),
      uncounted AS (
        DELETE FROM player_hit WHERE bucket = ${uncounted?.bucket ?? null}::text
          AND object_id = ${uncounted?.objectId ?? null}::text AND EXISTS (SELECT FROM finished))
      SELECT key FROM finished`,
  );
  return finished.length === 1;
}

/** Lets a repeat run again, with the same fingerprint and object id. */
export async function releaseKey(database: Database, { operationId, key, token }: HeldKey): Promise<void> {
  await rowsOf(
    database,
    Prisma.sql`
      UPDATE idempotency_key SET state = 'released'
      WHERE operation_id = ${operationId}::text AND key = ${key}::text
        AND token = ${token}::uuid AND state = 'running'`,
  );
}

/**
 * One bounded sweep of rows of authentication and Idempotency-Keys that are past their retention
 * (prisma/functions/sweep_requests.sql). Returns the number of deleted rows, 0 also when another process is sweeping.
 */
export async function sweepRequests(database: Database, rowsAtOnce: number): Promise<number> {
  const [row] = await database.$queryRaw<{ swept: number }[]>`SELECT sweep_requests(${rowsAtOnce}::integer) AS swept`;
  return row?.swept ?? 0;
}
