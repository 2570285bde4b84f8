// Whether a stored withdrawal is on a block list, as conditions of a statement with `withdrawal` and `player`. The
// checks before the send and the permission to send look at the same entries.
import { Prisma } from '../../prisma/generated/client.js';

/** The same hash of `withdrawal.player_ref` as playerHash (store/sealing/lookup-hashes.ts). */
const PLAYER_HASH = Prisma.sql`sha256(convert_to('player' || chr(10) || withdrawal.player_ref, 'UTF8'))`;

export const IS_PLAYER_BLOCKED = isBlockedSql('player', PLAYER_HASH);
export const IS_DOCUMENT_BLOCKED = isBlockedSql('document', Prisma.sql`player.document_hash`);
export const IS_DESTINATION_BLOCKED = isBlockedSql('pix_key', Prisma.sql`withdrawal.destination_hash`);

function isBlockedSql(kind: 'player' | 'document' | 'pix_key', hash: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`EXISTS (
          SELECT FROM list_entry
          WHERE list_entry.operation_id = withdrawal.operation_id AND list_entry.list = 'block'
            AND list_entry.kind = ${kind} AND list_entry.value_hash = ${hash}
        )`;
}
