// What a transaction is and where it stands.
import { type TransactionKind, type TransactionState, transactionKindOf, transactionStateOf } from './status.js';
import type { WireTransaction } from './wire.js';

export interface TransactionWords {
  readonly kind: TransactionKind;
  readonly state: TransactionState | null;
}

/** `type` and `status` in either order; the tables have no word in common. */
export function transactionWordsOf({ type, status }: WireTransaction): TransactionWords | 'unknown' {
  const words = [type, status].filter((word) => word !== null && word !== undefined);
  const kinds = words.map(transactionKindOf).filter((kind) => kind !== 'unknown');
  const states = words.map(transactionStateOf).filter((state) => state !== 'unknown');
  if (kinds.length !== 1 || kinds.length + states.length !== words.length) return 'unknown';
  return { kind: kinds[0]!, state: states[0] ?? null };
}
