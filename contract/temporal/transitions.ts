// What workflows ask the store to write, and what it answers. No personal data except sealed.
import type { AlertKind, AlertNote } from '../../domain/alerts.js';
import type { ReviewDecision } from '../../domain/payments/deposit.js';
import type { RefusedReturn } from '../../domain/payments/deposit-record.js';
import type { LedgerTransfer } from '../../domain/ledger.js';
import type { WriteOffAct } from '../../domain/payments/write-off.js';

export interface PublishedEvent {
  readonly id: string;
  readonly type: string;
}

/** An alert about an object of an operation. */
export interface RaisedAlert extends AlertNote {
  readonly operationId: string;
  readonly objectId: string;
  /** RFC 3339. */
  readonly at: string;
}

/** What a transition writes besides the payment's row. */
export interface TransitionEffects {
  readonly event: PublishedEvent | null;
  readonly movements: readonly LedgerTransfer[];
  readonly alert: AlertNote | null;
  /** Alerts of the payment that this transition resolves. */
  readonly resolves: readonly AlertKind[];
}

/** One person's decision for the audit trail; `number` identifies it among the payment's acts of the same kind. */
export type ReviewAct =
  /** `evidence`: where the provider states that a return is done. */
  | (ReviewDecision & { readonly number: number; readonly evidence?: string })
  | (WriteOffAct & { readonly number: `write-off-${number}` })
  | (Omit<ReviewDecision, 'decision'> & { readonly decision: 'cancel'; readonly number: 'cancel' })
  /** A person asked for a return to the payer. The provider has not been asked yet. */
  | (Omit<ReviewDecision, 'decision'> & { readonly decision: 'return_requested'; readonly number: `return-${string}` })
  /** An item in suspense went back, as people ordered. `payment`: its end-to-end id. */
  | (Omit<ReviewDecision, 'decision'> & {
      readonly decision: 'item_returned';
      readonly number: `item-${string}`;
      readonly payment: string;
      readonly evidence?: string;
    })
  | RefusedReturn
  /** Two people concluded from the provider's statement that the return was not made and never will be. */
  | (Omit<ReviewDecision, 'decision'> & {
      readonly decision: 'return_withdrawn';
      readonly evidence: string;
      readonly number: `withdrawn-${string}`;
    });
