// Inserts a deposit with its player, in one SQL statement that is safe to repeat.
import type { DepositInsertionInput, FoundDeposit, Insertion } from '../../contract/temporal/transitions.js';
import { Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';
import { playerSql } from '../payments/player-sql.js';
import type { SealedDepositRequest } from '../sealing/sealed-requests.js';
import type { Sealer } from '../sealing/sealer.js';
import { isUniqueViolation } from '../unique-violation.js';
import { foundDeposit } from './found.js';

/**
 * Inserts the deposit at version 1 and fixes the player's document at first use. `external_id` is unique by constraint.
 * Throws VersionGapError.
 */
export async function insertDeposit(
  database: Database,
  sealer: Sealer,
  input: DepositInsertionInput,
): Promise<Insertion<FoundDeposit>> {
  try {
    const [result] = await database.$queryRaw<{ players: number }[]>(insertionSql(sealer, input));
    if (result?.players === 1) return { kind: 'admitted', found: null };
    // If a revision was compared, the next decision of the rules says whether it was the document.
    return resultOfMissing(database, input, {
      kind: input.playerRevision === null ? 'document_mismatch' : 'stale',
    });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    return resultOfMissing(database, input, { kind: 'stale' });
  }
}

/** Nothing was written: the row exists already (a repeat), the `external_id` is taken, or `otherwise`. */
async function resultOfMissing(
  database: Database,
  { order, deposit }: DepositInsertionInput,
  otherwise: Insertion<FoundDeposit>,
): Promise<Insertion<FoundDeposit>> {
  const existing = await database.deposit.findUnique({
    where: { operationId_externalId: { operationId: order.operationId, externalId: order.externalId } },
    select: { id: true },
  });
  if (existing === null) return otherwise;
  if (existing.id !== order.depositId) return { kind: 'duplicate', existingId: existing.id };
  return { kind: 'admitted', found: await foundDeposit(database, deposit, 0) };
}

function insertionSql(sealer: Sealer, { order, deposit, playerRevision }: DepositInsertionInput): Prisma.Sql {
  const { operationId, playerRef } = order;
  const { player } = sealer.openJson<SealedDepositRequest>(order.sealedRequest);
  const at = deposit.createdAt;
  return Prisma.sql`
    WITH ${playerSql(sealer, player, { operationId, playerRef, at, playerRevision }, Prisma.empty)},
    inserted AS (
      INSERT INTO deposit (id, operation_id, external_id, status, version, amount_minor, currency, method, player_ref,
        provider, request_sealed, review_reasons, created_at, updated_at, expires_at)
      SELECT ${deposit.id}, ${operationId}, ${order.externalId}, ${deposit.status}, 1, ${order.amountMinor}::numeric,
        ${order.currency}, 'pix', ${playerRef}, ${order.provider},
        ${Buffer.from(order.sealedRequest, 'base64url')}::bytea, '{}',
        ${at}::timestamptz, ${at}::timestamptz, ${deposit.expiresAt}::timestamptz
      FROM player
    )
    SELECT count(*)::int AS players FROM player`;
}
