// The X-times rule in exact integers: the withdrawals allowed for the deposits.

/** X × settled deposits in minor units, rounded down; `multiplier` is a decimal string such as "1.5". */
export function multiplierLimitMinor(multiplier: string, settledMinor: bigint): bigint {
  const [whole = '0', fraction = ''] = multiplier.split('.');
  return (BigInt(whole + fraction) * settledMinor) / 10n ** BigInt(fraction.length);
}

/** Whether the multiplier turns automatic withdrawals off. */
export function isMultiplierOff(multiplier: string): boolean {
  return /^0(\.0*)?$/.test(multiplier);
}

/**
 * The amount left under the X-times rule (`auto_withdrawal_remaining` of PlayerLimits): X × settled deposits minus the
 * withdrawals that were not rejected, failed, cancelled or returned. Never below zero.
 */
export function automaticRemainingMinor(multiplier: string, settledMinor: bigint, withdrawnMinor: bigint): bigint {
  const remaining = multiplierLimitMinor(multiplier, settledMinor) - withdrawnMinor;
  return remaining > 0n ? remaining : 0n;
}
