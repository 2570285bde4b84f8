// What claims an Idempotency-Key (specification, "Idempotency"): the request, the call in SQL and its result.
import { createHash } from 'node:crypto';
import type { ErrorCode } from '../../contract/http/errors.js';
import type { Scope } from '../../contract/http/route.js';
import { Prisma } from '../../prisma/generated/client.js';

/** A player's limit of creations of one kind in a sliding hour. Counts once per object id; refusals do not count. */
export interface PlayerLimit {
  /** Operation, kind and player. The external_ref is opaque, never personal data. */
  readonly bucket: string;
  readonly limit: number;
  /** What is counted, as worded in a refusal. */
  readonly what: string;
  /** Refusals that count like an object. */
  readonly countedRefusals: readonly ErrorCode[];
}

export interface ClaimRequest {
  readonly operationId: string;
  readonly key: string;
  readonly fingerprint: Uint8Array<ArrayBuffer>;
  /** The object id of a new reservation, for a route that creates an object. */
  readonly newObjectId: string | undefined;
  readonly playerLimit: PlayerLimit | undefined;
  /** Stored with the key, so that a payment can be found by the trace id in a caller's log. */
  readonly traceId: string;
  /** The payment in the path. */
  readonly subjectId: string | undefined;
}

/** A claim that is made only if the request passes every check. */
export interface ConditionalClaim {
  readonly claim: ClaimRequest;
  /** The key needs one of these; null: any key will do. */
  readonly scopes: readonly Scope[] | null;
  /** Whether the route works during a simulated outage. */
  readonly evenInOutage: boolean;
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

/** SHA-256 over method, path with query, and raw body. */
export function fingerprintOf(method: string, target: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(`${method}\n${target}\n`, 'latin1').update(body).digest());
}

/** The call that claims a key and returns a {@link ClaimRow}. `operationId`: an expression; null claims nothing. */
export function claimCall(operationId: Prisma.Sql, request: ClaimRequest): Prisma.Sql {
  const { key, fingerprint, newObjectId, playerLimit, traceId, subjectId } = request;
  return Prisma.sql`
    claim_idempotency_key(
      ${operationId}::text, ${key}::text, ${fingerprint}::bytea, ${newObjectId ?? null}::text,
      ${playerLimit?.bucket ?? null}::text, ${playerLimit?.limit ?? null}::integer,
      ${traceId}::text, ${subjectId ?? null}::text)`;
}
