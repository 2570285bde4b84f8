// Reservations and recorded responses of Idempotency-Keys in Postgres (specification, "Idempotency"; D10).
import { createHash } from 'node:crypto';
import type { ErrorCode } from '../../contract/http/errors.js';
import { Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../../store/database.js';
import type { Sealer } from '../../store/sealing/sealer.js';
import { rowOf, rowsOf } from '../../store/statements.js';
import { bounded } from './bounded.js';
import type { Reply } from './reply.js';

/** How many creations of one kind and player are allowed in a sliding hour; counted once per object id, and not when they are refused. */
export interface PlayerLimit {
  /** Names operation, kind and player; the external_ref is opaque, never personal data. */
  readonly bucket: string;
  readonly limit: number;
  /** What is counted, as a refusal says it. */
  readonly what: string;
  /** Refusals that count as much as an object. */
  readonly countedRefusals: readonly ErrorCode[];
}

export interface ClaimRequest {
  readonly operationId: string;
  readonly key: string;
  readonly fingerprint: Uint8Array<ArrayBuffer>;
  /** The id that a new reservation gets, for a route that creates an object. */
  readonly newObjectId: string | undefined;
  readonly playerLimit: PlayerLimit | undefined;
  /** Kept beside the key, so that a payment is found from the trace id in a caller's log. */
  readonly traceId: string;
  /** The payment that the path names. */
  readonly subjectId: string | undefined;
}

/** The right to run a request, fenced by its token. */
export interface Reservation {
  readonly operationId: string;
  readonly key: string;
  readonly token: string;
  /** What the request counts against, under the id of the object that it makes. */
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
  /** Records the response; a refusal gives back what the request counted. False: another run took the key over, and this one may not finish it. */
  finish(reservation: Reservation, reply: Reply): Promise<boolean>;
  /** Lets a repeat run again, under the same fingerprint and object id. */
  release(reservation: Reservation): Promise<void>;
}

const TIMEOUT_MS = 3_000;

/** SHA-256 over method, path with query, and raw body. */
export function fingerprintOf(method: string, target: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(`${method}\n${target}\n`, 'latin1').update(body).digest());
}

interface ClaimRow {
  outcome: string;
  token: string | null;
  object_id: string | null;
  retry_after: number | null;
  response_status: number | null;
  response_content_type: string | null;
  response_headers: Record<string, string> | null;
  response_sealed: Buffer | null;
}

/** The store over Postgres. Every method rejects when Postgres does not answer in time, or the keys are away. */
export function createIdempotencyStore(database: Database, sealer: Sealer): IdempotencyStore {
  return {
    async claim(request) {
      const { operationId, key, fingerprint, newObjectId, playerLimit, traceId, subjectId } = request;
      const row = await bounded(
        rowOf<ClaimRow>(
          database,
          Prisma.sql`
          SELECT * FROM claim_idempotency_key(${operationId}::text, ${key}::text, ${fingerprint}::bytea, ${newObjectId ?? null}::text,
            ${playerLimit?.bucket ?? null}::text, ${playerLimit?.limit ?? null}::integer,
            ${traceId}::text, ${subjectId ?? null}::text)`,
        ),
        TIMEOUT_MS,
        'Postgres',
      );
      return claimOf(sealer, request, row);
    },

    async finish({ operationId, key, token, counted }, { status, contentType, headers, body, refusal }) {
      // It can hold a payer, or the operator's own words.
      const sealed = sealer.sealBytes(body);
      const uncounted =
        refusal === undefined || counted?.limit.countedRefusals.includes(refusal) === true ? undefined : counted;
      // Also right when it ran before and its answer was lost: the same token may write the same response again.
      const write = () =>
        rowsOf(
          database,
          Prisma.sql`
          WITH finished AS (
            UPDATE idempotency_key SET state = 'finished', response_status = ${status}::integer, response_content_type = ${contentType}::text,
              response_headers = ${JSON.stringify(headers)}::jsonb, response_sealed = ${sealed}::bytea
            WHERE operation_id = ${operationId}::text AND key = ${key}::text AND token = ${token}::uuid AND state <> 'released' RETURNING key),
          uncounted AS (
            DELETE FROM player_hit WHERE bucket = ${uncounted?.limit.bucket ?? null}::text AND object_id = ${uncounted?.objectId ?? null}::text
              AND EXISTS (SELECT FROM finished))
          SELECT key FROM finished`,
        );
      const written = await bounded(write(), TIMEOUT_MS, 'Postgres').catch(() =>
        bounded(write(), TIMEOUT_MS, 'Postgres'),
      );
      return written.length === 1;
    },

    async release({ operationId, key, token }) {
      await bounded(
        rowsOf(
          database,
          Prisma.sql`
          UPDATE idempotency_key SET state = 'released'
          WHERE operation_id = ${operationId}::text AND key = ${key}::text AND token = ${token}::uuid AND state = 'running'`,
        ),
        TIMEOUT_MS,
        'Postgres',
      );
    },
  };
}

function claimOf(sealer: Sealer, { operationId, key, playerLimit }: ClaimRequest, row: ClaimRow | null): Claim {
  switch (row?.outcome) {
    case 'owned': {
      const objectId = row.object_id ?? undefined;
      const counted =
        playerLimit === undefined || objectId === undefined ? undefined : { limit: playerLimit, objectId };
      return { kind: 'owned', reservation: { operationId, key, token: row.token ?? '', counted }, objectId };
    }
    case 'finished':
      if (row.response_sealed === null) throw new Error('a finished request has no recorded response');
      return {
        kind: 'finished',
        reply: {
          status: row.response_status ?? 500,
          contentType: row.response_content_type ?? '',
          headers: row.response_headers ?? {},
          body: sealer.openBytes(row.response_sealed),
        },
      };
    case 'in_progress':
      return { kind: 'in_progress' };
    case 'reused':
      return { kind: 'reused' };
    case 'limited':
      if (playerLimit === undefined) throw new Error('a request without a limit was limited');
      return { kind: 'limited', limit: playerLimit, retryAfterSeconds: row.retry_after ?? 1 };
    default:
      throw new Error(`claim_idempotency_key answered ${row?.outcome ?? 'no row'}`);
  }
}
