// What workflows ask the store to write, and what it answers. No personal data except sealed.
import type { AlertKind } from '../../domain/alerts.js';
import type { ReviewDecision } from '../../domain/deposit.js';
import type { LedgerMovement } from '../../domain/ledger.js';
import type { WriteOffAct } from '../../domain/write-off.js';
import type { AutomaticUse } from '../../domain/rules/automatic-use.js';
import type { WithdrawalSnapshot } from '../../domain/withdrawal.js';
import type { WithdrawalOrder } from './withdrawal.js';

export interface PublishedEvent {
  readonly id: string;
  readonly type: string;
}

export interface AlertNote {
  readonly kind: AlertKind;
  readonly detail: string;
  /**
   * What the alert is about, if it is to be raised only once for it; null: raised again whenever none of its kind is
   * open.
   */
  readonly occasion: string | null;
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
  readonly movement: {
    readonly name: LedgerMovement;
    readonly amountMinor: string;
    readonly transferId: string;
  } | null;
  readonly alert: AlertNote | null;
  /** Alerts of the payment that this transition resolves. */
  readonly resolves: readonly AlertKind[];
}

/** One person's decision for the audit trail; `number` identifies it among the payment's acts of the same kind. */
export type ReviewAct =
  | (ReviewDecision & { readonly number: number })
  | (WriteOffAct & { readonly number: `conclusion-${number}` })
  /** A person asked for a return to the payer. The provider has not been asked yet. */
  | (Omit<ReviewDecision, 'decision'> & { readonly decision: 'return_requested'; readonly number: `return-${string}` })
  /** The provider refused what the person decided, with this code. The payment waits for another decision. */
  | (Omit<ReviewDecision, 'decision'> & {
      readonly decision: 'return_refused';
      readonly code: string;
      readonly number: `refused-${string}`;
    });

export interface WithdrawalTransitionInput extends TransitionEffects {
  readonly withdrawal: WithdrawalSnapshot;
  /** The order's sealed request: the event shows the operator's own review reasons. */
  readonly sealedRequest: string;
  readonly fromVersion: number;
  readonly act?: ReviewAct | null;
  /** The operation's automatic cap that an automatic decision uses up; see domain/rules/automatic-use.ts. */
  readonly automaticUse?: AutomaticUse | null;
}

export interface WithdrawalInsertionInput {
  readonly order: WithdrawalOrder;
  readonly withdrawal: WithdrawalSnapshot;
  readonly event: PublishedEvent | null;
  /** The player's revision that the rules read; null if it need not be compared (no rule ran, or none answered). */
  readonly playerRevision: string | null;
  /** For an automatic withdrawal; above a cap the insertion is `stale`. */
  readonly automaticUse?: AutomaticUse | null;
}

/** The kinds are recorded in the histories of running workflows, so they do not change. */
export type Insertion<Found> =
  /** `found` is null if this call inserted the row. */
  | { readonly kind: 'admitted'; readonly found: Found | null }
  | { readonly kind: 'duplicate'; readonly existingId: string }
  /** The player's document was set to another one in the meantime. */
  | { readonly kind: 'document_mismatch' }
  /** The facts of the decision are out of date: decide again. */
  | { readonly kind: 'stale' }
  | { readonly kind: 'insufficient_balance' };

/**
 * What an earlier attempt at the same write stored before its answer was lost. A retried workflow task has a later
 * clock, so the stored values count. `events`: published since the version that the write starts from.
 */
export interface FoundWithdrawal {
  readonly withdrawal: WithdrawalSnapshot;
  readonly events: readonly PublishedEvent[];
}
