// Which other players of an operation share something with a player: a document, a payer, a key, a device, an address.
// SQL, because each probe is bounded on both sides of the index.
import { Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';
import { rowsOf } from '../statements.js';

/** What two players can share. */
export type SharedTrait = 'document' | 'payer' | 'payer_is_player' | 'pays_for_player' | 'pix_key' | 'device' | 'ip';

export interface LinkedPlayer {
  readonly playerRef: string;
  readonly shares: readonly SharedTrait[];
}

/** The player's newest payers, keys, devices and addresses that are compared. */
const MOST_TRAITS = 200;

/** Those who share most come first; of each shared value at most `take` others are read. */
export function readLinkedPlayers(
  database: Database,
  { operationId, playerRef }: { readonly operationId: string; readonly playerRef: string },
  take: number,
): Promise<LinkedPlayer[]> {
  return rowsOf<LinkedPlayer>(database, linkedPlayersSql(operationId, playerRef, take));
}

/** Exported for the test of the query plans. */
export function linkedPlayersSql(operationId: string, playerRef: string, take: number): Prisma.Sql {
  const othersOfTrait = (kind: Prisma.Sql, hash: Prisma.Sql) => Prisma.sql`
    SELECT player_ref FROM player_trait
    WHERE operation_id = ${operationId} AND kind = ${kind} AND value_hash = ${hash} AND player_ref <> ${playerRef}
    LIMIT ${take}`;
  const othersOfDocument = (hash: Prisma.Sql) => Prisma.sql`
    SELECT external_ref AS player_ref FROM player
    WHERE operation_id = ${operationId} AND document_hash = ${hash} AND external_ref <> ${playerRef}
    LIMIT ${take}`;
  return Prisma.sql`
    WITH me AS MATERIALIZED (
      SELECT document_hash FROM player WHERE operation_id = ${operationId} AND external_ref = ${playerRef}
    ),
    own AS MATERIALIZED (
      SELECT kind, value_hash FROM player_trait
      WHERE operation_id = ${operationId} AND player_ref = ${playerRef}
      ORDER BY first_sequence DESC LIMIT ${MOST_TRAITS}
    ),
    shared AS (
      SELECT own.kind AS by, others.player_ref
      FROM own CROSS JOIN LATERAL (${othersOfTrait(Prisma.sql`own.kind`, Prisma.sql`own.value_hash`)}) AS others
      UNION
      SELECT 'document', others.player_ref
      FROM me CROSS JOIN LATERAL (${othersOfDocument(Prisma.sql`me.document_hash`)}) AS others
      UNION
      SELECT 'payer_is_player', others.player_ref
      FROM own CROSS JOIN LATERAL (${othersOfDocument(Prisma.sql`own.value_hash`)}) AS others
      WHERE own.kind = 'payer'
      UNION
      SELECT 'pays_for_player', others.player_ref
      FROM me CROSS JOIN LATERAL (${othersOfTrait(Prisma.sql`'payer'`, Prisma.sql`me.document_hash`)}) AS others
    )
    SELECT player_ref AS "playerRef", array_agg(by ORDER BY by) AS shares
    FROM shared GROUP BY player_ref ORDER BY count(*) DESC, player_ref LIMIT ${take}`;
}
