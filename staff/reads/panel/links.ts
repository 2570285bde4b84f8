// The players who share something with a player, as the panel shows them.
import type { Database } from '../../../store/database.js';
import { readLinkedPlayers } from '../../../store/players/links.js';

const MOST_LINKED = 20;

/** Those who share most come first. */
export async function linkedPlayers(
  database: Database,
  player: { readonly operationId: string; readonly playerRef: string },
) {
  const found = await readLinkedPlayers(database, player, MOST_LINKED + 1);
  return {
    players: found.slice(0, MOST_LINKED).map(({ playerRef, shares }) => ({ ref: playerRef, shares: [...shares] })),
    more: found.length > MOST_LINKED,
  };
}
