// Which lists of their operation players stand on: by reference, document, key or device.
import { Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';
import { rowsOf } from '../statements.js';

export interface ListedBy {
  readonly list: 'block' | 'review';
  readonly kind: string;
  readonly addedAt: string;
}

interface PlayerOf {
  readonly operationId: string;
  readonly playerRef: string;
}

/** A player's newest keys and devices that are compared. */
const MOST_TRAITS = 200;

/** For each of the players, in their order: each list and kind that names them, with its oldest entry in force. */
export async function readListsOf(database: Database, players: readonly PlayerOf[]): Promise<ListedBy[][]> {
  if (players.length === 0) return [];
  const rows = await rowsOf<ListedBy & { readonly place: number }>(
    database,
    Prisma.sql`
      WITH asked AS (
        SELECT operation_id, player_ref, place::int AS place
        FROM unnest(${players.map(({ operationId }) => operationId)}::text[],
          ${players.map(({ playerRef }) => playerRef)}::text[]) WITH ORDINALITY AS asked (operation_id, player_ref, place)
      ), own AS MATERIALIZED (
        SELECT place, operation_id, 'player' AS kind,
          sha256(convert_to('player' || chr(10) || player_ref, 'UTF8')) AS value_hash
        FROM asked
        UNION ALL
        SELECT place, asked.operation_id, 'document', document_hash
        FROM asked JOIN player ON player.operation_id = asked.operation_id AND external_ref = asked.player_ref
        UNION ALL
        SELECT place, asked.operation_id, trait.kind, trait.value_hash
        FROM asked CROSS JOIN LATERAL (
          SELECT kind, value_hash FROM player_trait
          WHERE operation_id = asked.operation_id AND player_ref = asked.player_ref AND kind IN ('pix_key', 'device')
          ORDER BY first_sequence DESC LIMIT ${MOST_TRAITS}
        ) AS trait
      )
      SELECT DISTINCT ON (place, listed.list, listed.kind) place, listed.list, listed.kind, listed.created_at AS "addedAt"
      FROM own CROSS JOIN (VALUES ('block'), ('review')) AS lists (list)
      JOIN list_entry AS listed ON listed.operation_id = own.operation_id AND listed.list = lists.list
        AND listed.kind = own.kind AND listed.value_hash = own.value_hash AND coalesce(listed.expires_at > now(), TRUE)
      ORDER BY place, listed.list, listed.kind, listed.created_at`,
  );
  return players.map((_, index) => rows.filter(({ place }) => place === index + 1));
}
