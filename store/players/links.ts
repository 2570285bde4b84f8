// Which other players of an operation share something with a player: a document, a payer, a key, a device, an address.
import type { Database } from '../database.js';
import { rowsOf, sqlFile, type Statement } from '../statements.js';

const LINKED_PLAYERS = sqlFile('players/linked-players.sql');

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
  return rowsOf<LinkedPlayer>(database, linkedPlayers(operationId, playerRef, take));
}

/** Exported for the test of the query plans. */
export function linkedPlayers(operationId: string, playerRef: string, take: number): Statement {
  return LINKED_PLAYERS({ operationId, playerRef, take, mostTraits: MOST_TRAITS });
}
