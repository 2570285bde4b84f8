// What a dialect can do, as data: the requirements and notes for operators derive from it.
import type { AccountLimits, DepositRequirement, ProviderTraits } from './port.js';

const UNLIMITED = { minMinor: null, maxMinor: null } as const;

/** An account of which no limits are configured. */
export const NO_LIMITS: AccountLimits = { deposit: UNLIMITED, withdrawal: UNLIMITED };

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

/** The requirements and notes for operators, and what is refused before the provider is asked. */
export function traitsOf(capabilities: Capabilities, limits: AccountLimits = NO_LIMITS): ProviderTraits {
  const { depositRequirements, namesPayer, sendsPayouts } = capabilities;
  return { depositRequirements, pspNotes: namesPayer ? [] : ['payer_identity_unavailable'], sendsPayouts, limits };
}
