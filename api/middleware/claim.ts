// What claims an Idempotency-Key (specification, "Idempotency").
import { createHash } from 'node:crypto';
import type { ErrorCode } from '../../contract/http/errors.js';
import type { Scope } from '../../contract/http/route.js';
import type { KeyClaim } from '../../store/requests/idempotency-keys.js';

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

export interface ClaimRequest extends KeyClaim {
  readonly playerLimit: PlayerLimit | undefined;
}

/** A claim that is made only if the request passes every check. */
export interface ConditionalClaim {
  readonly claim: ClaimRequest;
  /** The key needs one of these; null: any key will do. */
  readonly scopes: readonly Scope[] | null;
  /** Whether the route works during a simulated outage. */
  readonly evenInOutage: boolean;
}

/** SHA-256 over method, path with query, and raw body. */
export function fingerprintOf(method: string, target: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(`${method}\n${target}\n`, 'latin1').update(body).digest());
}
