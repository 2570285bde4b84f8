// Orders that were refused: the insertion of a payment looks here, so that a refused order stays refused.
import { Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';
import { rowOf } from '../statements.js';

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
