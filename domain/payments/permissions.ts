// The permission to request a payout, a charge or a return from a provider. A statement gives it only for what the
// database rows and the ledger call for. The reasons for a refusal are one closed list.

/**
 * `expected`: honest use can meet it, and waits or reads the row again. `tampered`: no honest step leads there, so it
 * raises an alert.
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
  /** The player, document or PIX key has come onto a block list since the checks: they run again and cancel it. */
  listed: 'expected',
  /** The operation belongs to another environment than this process: a configuration error. */
  other_environment: 'expected',
  /** The row has another amount than the sealed request, or than the received payment to return. */
  other_amount: 'tampered',
  /** The row has another PIX key than the sealed request. */
  other_destination: 'tampered',
  /** The player's document differs from that of the sealed request. */
  other_document: 'tampered',
  /** Two deposits claim the same payment. */
  other_payment: 'tampered',
  /** The ledger does not hold the money for it. */
  not_in_ledger: 'tampered',
  /** It was decided neither by the rules nor by as many people as it needs. */
  not_decided: 'tampered',
} as const satisfies Readonly<Record<string, 'expected' | 'tampered'>>;

export type PermissionRefusal = keyof typeof PERMISSION_REFUSALS;

/** The statement's answer. */
export type Permission = 'given' | PermissionRefusal;

/** The refusals that no honest use leads to. */
export type TamperedRefusal = {
  [Refusal in PermissionRefusal]: (typeof PERMISSION_REFUSALS)[Refusal] extends 'tampered' ? Refusal : never;
}[PermissionRefusal];

/** Whether no honest use leads to this refusal. */
export function isTampered(refusal: PermissionRefusal): refusal is TamperedRefusal {
  return PERMISSION_REFUSALS[refusal] === 'tampered';
}

/** What is requested from a provider. */
export type AskedOfProvider = 'payout' | 'charge' | 'return';
