// Which lists of the operation a player stands on: by reference, document, key or device.
import { Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';
import { rowsOf } from '../statements.js';
import { playerHash } from '../sealing/lookup-hashes.js';

export interface ListedBy {
  readonly list: 'block' | 'review';
  readonly kind: string;
  readonly addedAt: string;
}

/** The player's newest keys and devices that are compared. */
const MOST_TRAITS = 200;

export function readListsOf(
  database: Database,
  { operationId, playerRef }: { readonly operationId: string; readonly playerRef: string },
): Promise<ListedBy[]> {
  return rowsOf<ListedBy>(
    database,
    Prisma.sql`
      WITH own AS MATERIALIZED (
        SELECT 'player' AS kind, ${Buffer.from(playerHash(playerRef))}::bytea AS value_hash
        UNION ALL
        SELECT 'document', document_hash FROM player WHERE operation_id = ${operationId} AND external_ref = ${playerRef}
        UNION ALL
        (SELECT kind, value_hash FROM player_trait
         WHERE operation_id = ${operationId} AND player_ref = ${playerRef} AND kind IN ('pix_key', 'device')
         ORDER BY first_sequence DESC LIMIT ${MOST_TRAITS})
      )
      SELECT DISTINCT ON (listed.list, listed.kind) listed.list, listed.kind, listed.created_at AS "addedAt"
      FROM own CROSS JOIN (VALUES ('block'), ('review')) AS lists (list)
      JOIN list_entry AS listed ON listed.operation_id = ${operationId} AND listed.list = lists.list
        AND listed.kind = own.kind AND listed.value_hash = own.value_hash AND coalesce(listed.expires_at > now(), TRUE)
      ORDER BY listed.list, listed.kind, listed.created_at`,
  );
}
