// The permission to ask a provider for a payout, a charge or a return: a statement gives it only for what the books ask
// for. Why it is not given, in one closed list.

/**
 * `expected`: what honest use meets, and waits out or reads again. `tampered`: no honest step leads there, so staff are
 * told.
 */
export const PERMISSION_REFUSALS = {
  /** The row is not as it was read, or not in the state for it, or another attempt has the permission. */
  changed: 'expected',
  /** The checks before the send are too old. */
  checks_too_old: 'expected',
  provider_paused: 'expected',
  operation_suspended: 'expected',
  /** It was decided automatically, and a person has stopped that since. */
  automatic_stopped: 'expected',
  /** The operation belongs to another environment than this process: a mistake in its set-up. */
  other_environment: 'expected',
  /** The row says another amount than the sealed request, or than what was received and is to be returned. */
  other_amount: 'tampered',
  /** The row says another PIX key than the sealed request. */
  other_destination: 'tampered',
  /** The player's document is another one than that of the sealed request. */
  other_document: 'tampered',
  /** Two deposits claim the same payment. */
  other_payment: 'tampered',
  /** The ledger does not hold the money for it. */
  not_in_ledger: 'tampered',
  /** Neither the rules nor as many people as it needs have decided it. */
  not_decided: 'tampered',
} as const satisfies Readonly<Record<string, 'expected' | 'tampered'>>;

export type PermissionRefusal = keyof typeof PERMISSION_REFUSALS;

/** What the statement answers. */
export type Permission = 'given' | PermissionRefusal;

/** Whether no honest use leads to this refusal. */
export function isTampered(refusal: PermissionRefusal): boolean {
  return PERMISSION_REFUSALS[refusal] === 'tampered';
}

/** What is asked of a provider. */
export type AskedOfProvider = 'payout' | 'charge' | 'return';
