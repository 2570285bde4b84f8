// What the payments of a proof have in common: who pays, and how long anything may take.
import type { SealedPlayer } from '../../../store/sealing/sealer.js';

export const CPF = '52998224725';
export const OTHER_CPF = '11144477735';

/** Long enough for a machine that is busy with other things. */
export const ACTION_MS = 60_000;

export function sealedPlayer(): SealedPlayer {
  return {
    external_ref: 'player-1',
    document: { type: 'CPF', number: CPF, country: 'BR' },
    name: 'Ana',
    ip: '203.0.113.7',
    device_id: 'device-1',
  };
}
