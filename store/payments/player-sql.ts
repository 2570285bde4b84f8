// The player's row as a payment's insertion writes it.
import type { SealedPlayer } from '../sealing/sealed-requests.js';
import { Prisma } from '../../prisma/generated/client.js';
import { documentHash } from '../sealing/lookup-hashes.js';
import { placeOf } from '../sealing/places.js';
import type { Sealer } from '../sealing/sealer.js';

interface PlayerPayment {
  readonly operationId: string;
  readonly playerRef: string;
  /** RFC 3339. */
  readonly at: string;
  /** The revision that the rules read; `null` if it is not compared. */
  readonly playerRevision: string | null;
}

/**
 * CTE `player`: inserts the player and so fixes the document at first use, or raises the player's revision. No row if
 * the document or the revision differs. `source` is a FROM clause whose row allows the insertion.
 */
export function playerSql(
  sealer: Sealer,
  { document }: SealedPlayer,
  { operationId, playerRef, at, playerRevision }: PlayerPayment,
  source: Prisma.Sql,
): Prisma.Sql {
  const hash = documentHash(sealer, operationId, document.number);
  const place = placeOf('player.document_sealed', operationId, { external_ref: playerRef });
  const sealed = sealer.sealBytes(place, Buffer.from(JSON.stringify(document), 'utf8'));
  return Prisma.sql`
    player AS (
      INSERT INTO player (operation_id, external_ref, document_hash, document_sealed, created_at)
      SELECT ${operationId}, ${playerRef}, ${hash}::bytea, ${sealed}::bytea, ${at}::timestamptz
      ${source}
      ON CONFLICT (operation_id, external_ref) DO UPDATE SET revision = player.revision + 1
      WHERE player.document_hash = EXCLUDED.document_hash
        AND player.revision = coalesce(${playerRevision}::bigint, player.revision)
      RETURNING 1
    )`;
}
