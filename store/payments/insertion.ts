// What the insertion of a deposit and of a withdrawal have alike: its results, the player's row, and the orders that
// were refused, where it looks first, so that a refused order stays refused.
import { Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';
import { documentHash, type Sealer } from '../sealing/sealer.js';
import { placeOf } from '../sealing/places.js';
import type { SealedPlayer } from '../sealing/orders.js';
import { rowOf } from '../statements.js';
import { findByExternalId, type PaymentId } from './payment-ids.js';

/** `Refusal`: what only one of the two kinds can answer. */
export type Inserted<Row, Refusal extends string> =
  | { readonly kind: 'inserted'; readonly row: Row }
  /** It was there already: an earlier attempt inserted it. */
  | { readonly kind: 'found'; readonly row: Row }
  /** Another payment has the `external_id`. */
  | { readonly kind: 'duplicate'; readonly existingId: string }
  /**
   * `stale`: the facts of the decision are out of date: decide again. `order_refused`: the order was refused before.
   */
  | { readonly kind: 'stale' | 'order_refused' | Refusal };

interface OrderIds {
  readonly id: string;
  readonly operationId: string;
  readonly externalId: string;
}

/** Nothing was written: the row exists already (a repeat), the `external_id` is taken, or `otherwise`. */
export async function whyMissing<Row, Refusal extends string>(
  database: Database,
  kind: PaymentId['kind'],
  { id, operationId, externalId }: OrderIds,
  read: (database: Database, payment: Pick<OrderIds, 'id' | 'operationId'>) => Promise<Row>,
  otherwise: 'stale' | 'order_refused' | Refusal,
): Promise<Inserted<Row, Refusal>> {
  const [existing] = await findByExternalId(database, operationId, externalId, [kind]);
  if (existing === undefined) return { kind: otherwise };
  if (existing.id !== id) return { kind: 'duplicate', existingId: existing.id };
  return { kind: 'found', row: await read(database, { id, operationId }) };
}

/** The player's document, hashed and sealed. */
export function playerParameters(
  sealer: Sealer,
  { operationId, playerRef }: { readonly operationId: string; readonly playerRef: string },
  { document }: SealedPlayer,
) {
  const place = placeOf('player.document_sealed', operationId, { external_ref: playerRef });
  return {
    documentHash: documentHash(sealer, operationId, document.number),
    documentSealed: sealer.sealBytes(place, Buffer.from(JSON.stringify(document), 'utf8')),
  };
}

export interface OrderRefusal {
  /** The id that the payment would have. */
  readonly id: string;
  readonly operationId: string;
  /** `null`: it was refused before. */
  readonly code: string | null;
  /** The order's own proof: a copy has the same one, and an order that the api makes anew another. */
  readonly orderProof: string;
  /** The run that was started with the order. */
  readonly runId: string;
}

export type RefusedOrder =
  /** By this step or an earlier one, with this code. */
  | { readonly kind: 'refused'; readonly code: string }
  /** Another run refused the same order: this one was started with a copy. */
  | { readonly kind: 'copied' }
  | { readonly kind: 'payment_exists' };

/** Refuses the order for good, unless its payment exists. Never both, whatever happens at the same time. */
export async function storeRefusal(
  database: Database,
  { id, operationId, code, orderProof, runId }: OrderRefusal,
): Promise<RefusedOrder> {
  const row = await rowOf<{ kind: RefusedOrder['kind']; code: string }>(
    database,
    Prisma.sql`SELECT kind, code FROM refuse_order(${id}, ${operationId}, ${code}, ${orderProof}, ${runId})`,
  );
  if (row === null) throw new Error(`${id} was not refused before`);
  return row;
}
