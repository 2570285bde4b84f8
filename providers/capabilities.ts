// What a dialect can do, as data: the requirements and notes for operators derive from it.
import type { DepositRequirement, ProviderTraits } from './port.js';

export interface Capabilities {
  /** Fields of `POST /deposits` without which it takes no charge. */
  readonly depositRequirements: readonly DepositRequirement[];
  /** Whether a look-up of a paid charge can name its payer. */
  readonly namesPayer: boolean;
  /** `directory`: it reports the holder of a key. `at_send`: it compares the holder itself, and refuses the payout. */
  readonly keyOwners: 'directory' | 'at_send' | 'never';
  readonly sendsPayouts: boolean;
  /** Whether a callback with the same bytes as an earlier one may report something new: that a payout came back. */
  readonly reusesCallbackBodies: boolean;
}

/** The requirements and notes for operators. */
export function traitsOf({ depositRequirements, namesPayer, sendsPayouts }: Capabilities): ProviderTraits {
  return { depositRequirements, pspNotes: namesPayer ? [] : ['payer_identity_unavailable'], sendsPayouts };
}
