// Reservations and recorded responses of Idempotency-Keys in Postgres (specification, "Idempotency").
import { createHash } from 'node:crypto';
import type { ErrorCode } from '../../contract/http/errors.js';
import { Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../../store/database.js';
import { type Place, placeOf } from '../../store/sealing/places.js';
import type { Sealer } from '../../store/sealing/sealer.js';
import { rowOf, rowsOf } from '../../store/statements.js';
import { bounded } from './bounded.js';
import type { Reply } from './reply.js';

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

/** The right to run a request, guarded by a fencing token. */
export interface Reservation {
  readonly operationId: string;
  readonly key: string;
  readonly token: string;
  /** The limit that the request counts against, under the id of the object that it creates. */
  readonly counted: { readonly limit: PlayerLimit; readonly objectId: string } | undefined;
}

export type Claim =
  | { readonly kind: 'owned'; readonly reservation: Reservation; readonly objectId: string | undefined }
  | { readonly kind: 'finished'; readonly reply: Reply }
  | { readonly kind: 'in_progress' }
  | { readonly kind: 'reused' }
  | { readonly kind: 'limited'; readonly limit: PlayerLimit; readonly retryAfterSeconds: number };

export interface IdempotencyStore {
  claim(request: ClaimRequest): Promise<Claim>;
  /** Records the response. A refusal is not counted. False: another run took the key over and finishes instead. */
  finish(reservation: Reservation, reply: Reply): Promise<boolean>;
  /** Lets a repeat run again, with the same fingerprint and object id. */
  release(reservation: Reservation): Promise<void>;
}

const TIMEOUT_MS = 3_000;

/** SHA-256 over method, path with query, and raw body. */
export function fingerprintOf(method: string, target: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(`${method}\n${target}\n`, 'latin1').update(body).digest());
}

/** The result of `claim_idempotency_key`. */
interface ClaimRow {
  readonly outcome: Claim['kind'];
  readonly token: string | null;
  readonly object_id: string | null;
  readonly retry_after: number | null;
  readonly response_status: number | null;
  readonly response_content_type: string | null;
  readonly response_headers: Record<string, string> | null;
  readonly response_sealed: Buffer | null;
}

/** The store over Postgres. Every method rejects when Postgres does not answer in time or the keys are unavailable. */
export function createIdempotencyStore(database: Database, sealer: Sealer): IdempotencyStore {
  const inTime = <T>(work: Promise<T>) => bounded(work, TIMEOUT_MS, 'Postgres');
  return {
    async claim(request) {
      return claimOf(sealer, request, await inTime(rowOf<ClaimRow>(database, claimStatement(request))));
    },

    async finish(reservation, reply) {
      // The body can contain a payer's data or the operator's texts.
      const statement = finishStatement(reservation, reply, sealer.sealBytes(placeOfResponse(reservation), reply.body));
      const write = () => inTime(rowsOf(database, statement));
      // Safe to repeat after a lost answer: the same token may write the same response again.
      const written = await write().catch(write);
      return written.length === 1;
    },

    async release({ operationId, key, token }) {
      await inTime(
        rowsOf(
          database,
          Prisma.sql`
          UPDATE idempotency_key SET state = 'released'
          WHERE operation_id = ${operationId}::text AND key = ${key}::text
            AND token = ${token}::uuid AND state = 'running'`,
        ),
      );
    },
  };
}

function claimStatement(request: ClaimRequest): Prisma.Sql {
  const { operationId, key, fingerprint, newObjectId, playerLimit, traceId, subjectId } = request;
  return Prisma.sql`
    SELECT * FROM claim_idempotency_key(
      ${operationId}::text, ${key}::text, ${fingerprint}::bytea, ${newObjectId ?? null}::text,
      ${playerLimit?.bucket ?? null}::text, ${playerLimit?.limit ?? null}::integer,
      ${traceId}::text, ${subjectId ?? null}::text)`;
}

function placeOfResponse({ operationId, key }: Pick<Reservation, 'operationId' | 'key'>): Place {
  return placeOf('idempotency_key.response_sealed', operationId, { key });
}

/** Records the response; a refusal that does not count deletes the request's hit on the player's limit. */
function finishStatement(
  { operationId, key, token, counted }: Reservation,
  { status, contentType, headers, refusal }: Reply,
  sealed: Uint8Array<ArrayBuffer>,
): Prisma.Sql {
  const uncounted =
    refusal === undefined || counted?.limit.countedRefusals.includes(refusal) === true ? undefined : counted;
  return Prisma.sql`
    WITH finished AS (
      UPDATE idempotency_key SET state = 'finished', response_status = ${status}::integer,
        response_content_type = ${contentType}::text, response_headers = ${JSON.stringify(headers)}::jsonb,
        response_sealed = ${sealed}::bytea
      WHERE operation_id = ${operationId}::text AND key = ${key}::text
        AND token = ${token}::uuid AND state <> 'released'
      RETURNING key),
    uncounted AS (
      DELETE FROM player_hit WHERE bucket = ${uncounted?.limit.bucket ?? null}::text
        AND object_id = ${uncounted?.objectId ?? null}::text AND EXISTS (SELECT FROM finished))
    SELECT key FROM finished`;
}

function claimOf(sealer: Sealer, request: ClaimRequest, row: ClaimRow | null): Claim {
  if (row === null) throw new Error('claim_idempotency_key returned no row');
  switch (row.outcome) {
    case 'owned':
      return ownedClaim(request, row);
    case 'finished':
      return { kind: 'finished', reply: recordedReply(sealer, request, row) };
    case 'in_progress':
      return { kind: 'in_progress' };
    case 'reused':
      return { kind: 'reused' };
    case 'limited': {
      const { playerLimit } = request;
      if (playerLimit === undefined) throw new Error('a request without a player limit was limited');
      return { kind: 'limited', limit: playerLimit, retryAfterSeconds: row.retry_after ?? 1 };
    }
  }
}

function ownedClaim({ operationId, key, playerLimit }: ClaimRequest, row: ClaimRow): Claim {
  const objectId = row.object_id ?? undefined;
  const counted = playerLimit === undefined || objectId === undefined ? undefined : { limit: playerLimit, objectId };
  return { kind: 'owned', reservation: { operationId, key, token: row.token ?? '', counted }, objectId };
}

function recordedReply(sealer: Sealer, request: ClaimRequest, row: ClaimRow): Reply {
  if (row.response_sealed === null) throw new Error('a finished request has no recorded response');
  return {
    status: row.response_status ?? 500,
    contentType: row.response_content_type ?? '',
    headers: row.response_headers ?? {},
    body: sealer.openBytes(placeOfResponse(request), row.response_sealed),
  };
}
