// What became of a claimed Idempotency-Key, and the recorded responses in Postgres (specification, "Idempotency").
import { Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../../store/database.js';
import { type Place, placeOf } from '../../store/sealing/places.js';
import type { Sealer } from '../../store/sealing/sealer.js';
import { rowsOf } from '../../store/statements.js';
import type { ClaimRequest, ClaimRow, PlayerLimit } from './claim.js';
import { bounded } from '../../platform/http/bounded.js';
import type { Reply } from './reply.js';

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
  /** What became of a claim that was made with `claimCall`. Throws when the keys are unavailable. */
  claimed(request: ClaimRequest, row: ClaimRow): Claim;
  /** Records the response. A refusal is not counted. False: another run took the key over and finishes instead. */
  finish(reservation: Reservation, reply: Reply): Promise<boolean>;
  /** Lets a repeat run again, with the same fingerprint and object id. */
  release(reservation: Reservation): Promise<void>;
}

const TIMEOUT_MS = 3_000;

/** The store over Postgres. Every method rejects when Postgres does not answer in time or the keys are unavailable. */
export function createIdempotencyStore(database: Database, sealer: Sealer): IdempotencyStore {
  const inTime = <T>(work: Promise<T>) => bounded(work, TIMEOUT_MS, 'Postgres');
  return {
    claimed: (request, row) => claimOf(sealer, request, row),

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

function claimOf(sealer: Sealer, request: ClaimRequest, row: ClaimRow): Claim {
  switch (row.outcome) {
    case null:
      throw new Error('the Idempotency-Key was not claimed');
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
