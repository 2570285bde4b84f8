// The alert about a movement of the bank that another payment has: it names both, and counts for the first only.
import type { AlertNote } from '../../domain/alerts.js';
import type { MovementTakenError } from '../../store/ledger/bank-movements.js';

/** `id`: the payment that may not have it. */
export function claimedTwice(id: string, { bankId, by }: Pick<MovementTakenError, 'bankId' | 'by'>): AlertNote {
  const detail = `${id}: the provider reports the movement ${bankId}, which ${by} has`;
  return { kind: 'PAYMENT_CLAIMED_TWICE', detail, occasion: bankId };
}
