// Idempotency-Keys (specification, "Idempotency"): what a request claims in the query that authenticates it, the
// outcome of the claim, and the recorded responses in Postgres.
import { createHash } from 'node:crypto';
import type { Scope, RouteDefinition } from '../../contract/http/route.js';
import { type ClaimRequest, headerOf, type Input, type PlayerLimit, type RequestContext, targetOf } from './request.js';
import { isProblem, type Problem } from '../../contract/http/errors.js';
import { isIdOfOurs, newId } from '../../domain/identifiers.js';
import { isIdempotencyKey } from './checks.js';
import type { Database } from '../../store/database.js';
import { type Place, placeOf } from '../../store/sealing/places.js';
import type { Sealer } from '../../store/sealing/sealer.js';
import { type ClaimRow, finishKey, type HeldKey, releaseKey } from '../../store/requests/idempotency-keys.js';
import { bounded } from '../../platform/http/bounded.js';
import type { Reply } from './reply.js';

/** A claim that is made only if the request passes every check. */
export interface ConditionalClaim {
  readonly claim: ClaimRequest;
  /** The key needs one of these; null: any key will do. */
  readonly scopes: readonly Scope[] | null;
  /** Whether the route works during a simulated outage. */
  readonly evenInOutage: boolean;
}

/** SHA-256 over method, path with query, and raw body. */
function fingerprintOf(method: string, target: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(`${method}\n${target}\n`, 'latin1').update(body).digest());
}

/** The hourly limit that a valid body counts against. */
export type PlayerLimitOf = (body: never, operationId: string) => PlayerLimit;

/** What a signed request claims; `undefined` when it needs no claim or has no valid key to claim. */
export function conditionalClaim(
  context: RequestContext,
  route: RouteDefinition,
  request: {
    readonly operationId: string;
    readonly params: Readonly<Record<string, string>>;
    readonly input: Input | Problem;
    /** The limit of the route. */
    readonly limitOf: PlayerLimitOf | undefined;
  },
): ConditionalClaim | undefined {
  const key = headerOf(context, 'idempotency-key');
  if (route.method !== 'POST' || !isIdempotencyKey(key)) return undefined;
  const { operationId, params, input, limitOf } = request;
  const { body, traceId } = context.state;
  return {
    claim: {
      operationId,
      key,
      fingerprint: fingerprintOf(route.method, targetOf(context), body),
      newObjectId: route.creates === undefined ? undefined : newId(route.creates),
      // Only valid bodies count against the limit.
      playerLimit: limitOf === undefined || isProblem(input) ? undefined : limitOf(input.body as never, operationId),
      traceId,
      subjectId: params['id'] !== undefined && isIdOfOurs(params['id']) ? params['id'] : undefined,
    },
    scopes: typeof route.access === 'string' ? null : route.access,
    evenInOutage: route.sandboxOnly === true,
  };
}

/** The right to run a request. */
export interface Reservation extends HeldKey {
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
  /** The outcome of a claim that was made with `claimCall`. Throws when the keys are unavailable. */
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
      const { status, contentType, headers } = reply;
      // The body can contain a payer's data or the operator's texts.
      const bodySealed = sealer.sealBytes(placeOfResponse(reservation), reply.body);
      const response = { status, contentType, headers, bodySealed };
      const write = () => inTime(finishKey(database, reservation, response, uncountedOf(reservation, reply)));
      // Safe to repeat after a lost answer.
      return write().catch(write);
    },

    release: (reservation) => inTime(releaseKey(database, reservation)),
  };
}

function placeOfResponse({ operationId, key }: Pick<Reservation, 'operationId' | 'key'>): Place {
  return placeOf('idempotency_key.response_sealed', operationId, { key });
}

/** The request's hit on the player's limit, when its answer is a refusal that does not count. */
function uncountedOf({ counted }: Reservation, { refusal }: Reply) {
  if (counted === undefined || refusal === undefined || counted.limit.countedRefusals.includes(refusal))
    return undefined;
  return { bucket: counted.limit.bucket, objectId: counted.objectId };
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
