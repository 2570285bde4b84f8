// The player's row as the statements that insert payments take it: the first payment fixes the document.
import { documentHash } from '../sealing/lookup-hashes.js';
import { placeOf } from '../sealing/places.js';
import type { SealedPlayer } from '../sealing/sealed-requests.js';
import type { Sealer } from '../sealing/sealer.js';

/** The player's document, hashed and sealed. */
export function playerParameters(
  sealer: Sealer,
  { operationId, playerRef }: { readonly operationId: string; readonly playerRef: string },
  { document }: SealedPlayer,
) {
  const place = placeOf('player.document_sealed', operationId, { external_ref: playerRef });
  return {
    documentHash: documentHash(sealer, operationId, document.number),
    documentSealed: sealer.sealBytes(place, Buffer.from(JSON.stringify(document), 'utf8')),
  };
}
