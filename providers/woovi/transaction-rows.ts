// The kind and state of a transaction. A row of a list is read separately, and no further than its kind needs.
import { z } from 'zod';
import { fieldOf, unusable } from '../common/answers.js';
import type { Unknown } from '../port.js';
import { type WooviContext } from './context.js';
import { type TransactionKind, type TransactionState, transactionKindOf, transactionStateOf } from './status.js';
import { transaction, type WireTransaction } from './wire.js';

export interface TransactionMeaning {
  readonly kind: TransactionKind;
  readonly state: TransactionState | null;
}

const kindAndState = z.object({ type: z.string().nullish(), status: z.string().nullish() });

/** `type` and `status` in either order; the tables have no word in common. */
function meaningOf({ type, status }: z.output<typeof kindAndState>): TransactionMeaning | 'unknown' {
  const given = [type, status].filter((word) => word !== null && word !== undefined);
  const kinds = given.map(transactionKindOf).filter((kind) => kind !== 'unknown');
  const states = given.map(transactionStateOf).filter((state) => state !== 'unknown');
  if (kinds.length !== 1 || kinds.length + states.length !== given.length) return 'unknown';
  return { kind: kinds[0]!, state: states[0] ?? null };
}

export type TransactionRow =
  | { readonly is: 'read'; readonly transaction: WireTransaction; readonly meaning: TransactionMeaning }
  /** Money of the account is held, or free again: nothing came and nothing left. */
  | { readonly is: 'nothing' }
  /** The document has its name only: what it means for the money is not guessed at. */
  | { readonly is: 'reversal' }
  /** `field`: what cannot be read of it. */
  | {
      readonly is: 'unreadable';
      readonly reason: 'unreadable_answer' | 'unknown_transaction_state';
      readonly field: string;
    };

/** Reads one row, and reports as drift what the document does not explain. */
export function readTransaction({ client }: WooviContext, row: unknown): TransactionRow {
  const named = kindAndState.safeParse(row);
  const meaning = named.success ? meaningOf(named.data) : 'unknown';
  if (meaning === 'unknown') {
    client.noteDrift('unknown_state');
    return { is: 'unreadable', reason: 'unknown_transaction_state', field: 'status' };
  }
  if (meaning.kind === 'block') return { is: 'nothing' };
  if (meaning.kind === 'reversal') {
    client.noteDrift('unknown_state');
    return { is: 'reversal' };
  }
  const read = transaction.safeParse(row);
  if (read.success) return { is: 'read', transaction: read.data, meaning };
  client.noteDrift('unreadable_answer');
  return { is: 'unreadable', reason: 'unreadable_answer', field: fieldOf(read.error) };
}

type ReadRow = Extract<TransactionRow, { is: 'read' }>;

/** The rows of a look-up. One that cannot be read may be the one that decides. */
export function readTransactions(context: WooviContext, rows: readonly unknown[]): readonly ReadRow[] | Unknown {
  const read: ReadRow[] = [];
  for (const [index, row] of rows.entries()) {
    const found = readTransaction(context, row);
    if (found.is === 'unreadable') return unusable(found.reason, `transactions.${index}.${found.field}`);
    if (found.is === 'read') read.push(found);
  }
  return read;
}

/** Whether all rows could be read. */
export function isRead<Row>(rows: readonly Row[] | Unknown): rows is readonly Row[] {
  return Array.isArray(rows);
}
