// Where the payload of a charge is served.
import { depositBehaviourOf } from './behaviours.js';

/** Where a bank of the real world would serve a charge. */
const REAL_LOCATION = 'pix.bank.example/v2';

/** Where the payload of a charge is served, without scheme. Its code says the same. */
export function locationOf(
  { amountMinor, locationId }: { readonly amountMinor: bigint; readonly locationId: string },
  locationBase: string,
): string {
  return `${depositBehaviourOf(amountMinor).sandboxMarker ? locationBase : REAL_LOCATION}/${locationId}`;
}
