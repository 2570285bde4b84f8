// Inserts a deposit with its player and the decision to accept it, in one SQL statement that is safe to repeat.
import type { DepositOrder } from '../../contract/temporal/deposit.js';
import type { DepositSnapshot } from '../../domain/deposit.js';
import { Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';
import { isPausedSql } from '../operations/provider-pauses.js';
import { refusalSql } from '../payments/refusal-sql.js';
import { isOrderRefusedSql } from '../payments/refused-orders.js';
import { playerSql } from '../payments/player-sql.js';
import { changedAtSql } from '../payments/transition-sql.js';
import { decidedSql, type DecisionRecord } from '../rules/decisions.js';
import { openDepositRequest } from '../sealing/sealed-requests.js';
import type { Sealer } from '../sealing/sealer.js';
import { rowOf } from '../statements.js';
import { isUniqueViolation } from '../unique-violation.js';

export interface DepositInsertionInput {
  readonly order: DepositOrder;
  /** At version 1. */
  readonly deposit: DepositSnapshot;
  /** The player's revision that the rules read; `null` if it is not compared, because no limit counts the history. */
  readonly playerRevision: string | null;
  /** The decision that accepts it. It is stored only with the row. */
  readonly decision: DecisionRecord | null;
  /** The environment of the process that requests the charge. */
  readonly environment: 'sandbox' | 'production';
}

export type DepositInsertion =
  | { readonly kind: 'inserted'; readonly updatedAt: string }
  /** An earlier attempt inserted it. */
  | { readonly kind: 'found' }
  /** Another deposit has the `external_id`. */
  | { readonly kind: 'duplicate'; readonly existingId: string }
  /** The player's document was set to another one in the meantime. */
  | { readonly kind: 'document_mismatch' }
  /** The order was refused before. */
  | { readonly kind: 'order_refused' }
  /** Nobody is charged there now. */
  | { readonly kind: 'provider_paused' }
  /** The operation belongs to another environment than this process. */
  | { readonly kind: 'other_environment' }
  /** The facts of the decision are out of date: decide again. */
  | { readonly kind: 'stale' };

/** Inserts the deposit and fixes the player's document at first use. `external_id` is unique by constraint. */
export async function insertDeposit(
  database: Database,
  sealer: Sealer,
  input: DepositInsertionInput,
): Promise<DepositInsertion> {
  // If a revision was compared, the next decision of the rules shows whether the document was the cause.
  const otherwise = { kind: input.playerRevision === null ? 'document_mismatch' : 'stale' } as const;
  try {
    const result = await rowOf<Result>(database, insertionSql(sealer, input));
    if (result?.updatedAt) return { kind: 'inserted', updatedAt: result.updatedAt };
    const refusal = result?.refusal ?? null;
    return await resultOfMissing(database, input.order, refusal === null ? otherwise : { kind: refusal });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    return resultOfMissing(database, input.order, { kind: 'stale' });
  }
}

interface Result {
  /** `null` if nothing was inserted. */
  readonly updatedAt: string | null;
  /** `null` if nothing prevents the insertion. */
  readonly refusal: 'order_refused' | 'provider_paused' | 'other_environment' | null;
}

/** Nothing was written: the row exists already (a repeat), the `external_id` is taken, or `otherwise`. */
async function resultOfMissing(
  database: Database,
  { operationId, externalId, depositId }: DepositOrder,
  otherwise: DepositInsertion,
): Promise<DepositInsertion> {
  const existing = await database.deposit.findUnique({
    where: { operationId_externalId: { operationId, externalId } },
    select: { id: true },
  });
  if (existing === null) return otherwise;
  return existing.id === depositId ? { kind: 'found' } : { kind: 'duplicate', existingId: existing.id };
}

/**
 * The row permits its first charge: it is there only if the provider may be asked. The counter is locked before the
 * player, as by every other statement.
 */
function insertionSql(sealer: Sealer, input: DepositInsertionInput): Prisma.Sql {
  const { order, deposit, playerRevision, decision, environment } = input;
  const { operationId, playerRef } = order;
  const { player } = openDepositRequest(sealer, order);
  const at = deposit.createdAt;
  const refusal = refusalSql(
    ['order_refused', isOrderRefusedSql(order.depositId)],
    ['other_environment', Prisma.sql`operation.environment <> ${environment}`],
    ['provider_paused', isPausedSql(Prisma.sql`${order.provider}`)],
  );
  return Prisma.sql`
    WITH permission AS (SELECT ${refusal} AS refusal FROM operation WHERE operation.id = ${operationId}),
    locked AS (
      UPDATE operation_counter SET changed_at = ${changedAtSql(at)} FROM permission
      WHERE operation_id = ${operationId} AND refusal IS NULL
      RETURNING changed_at
    ),
    ${playerSql(sealer, player, { operationId, playerRef, at, playerRevision }, Prisma.sql`FROM locked`)},
    inserted AS (
      INSERT INTO deposit (id, operation_id, external_id, status, version, amount_minor, currency, method, player_ref,
        provider, request_sealed, review_reasons, created_at, updated_at, expires_at)
      SELECT ${deposit.id}, ${operationId}, ${order.externalId}, ${deposit.status}, 1, ${order.amountMinor}::numeric,
        ${order.currency}, 'pix', ${playerRef}, ${order.provider},
        ${Buffer.from(order.sealedRequest, 'base64url')}::bytea, '{}',
        ${at}::timestamptz, locked.changed_at, ${deposit.expiresAt}::timestamptz
      FROM player, locked
      RETURNING id, updated_at
    )${decidedSql(decision, Prisma.sql`inserted`)}
    SELECT (SELECT updated_at FROM inserted) AS "updatedAt", (SELECT refusal FROM permission) AS refusal`;
}
