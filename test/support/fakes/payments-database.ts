// What the fake database does for the rows of any payment.
import type { AlertKind, AlertNote } from '../../../domain/alerts.js';
import type { DepositSnapshot } from '../../../domain/payments/deposit.js';
import type { LedgerAccount, LedgerTransfer } from '../../../domain/ledger.js';
import type { WithdrawalSnapshot } from '../../../domain/payments/withdrawal.js';
import type { PublishedEvent } from '../../../store/payments/effects.js';
import type { FakeActs } from './acts.js';

interface OfPlayer {
  readonly operationId: string;
  readonly playerRef: string;
}

/** What a transition writes besides the payment's row. */
export interface TransitionEffects {
  readonly event: PublishedEvent | null;
  readonly movements: readonly LedgerTransfer[];
  readonly alert: AlertNote | null;
  /** Alerts of the payment that this transition resolves. */
  readonly resolves: readonly AlertKind[];
}

export interface PaymentsDatabase {
  readonly acts: FakeActs;
  /** Withdrawals for which the operation's automatic cap has no room when they come to be stored. */
  readonly capReached: ReadonlySet<string>;
  step<Result>(objectId: string, step: string, write: () => Result): Result;
  playerRevision(order: OfPlayer): string;
  fixDocument(order: OfPlayer, document: string): boolean;
  /** Throws MovementTakenError if another payment has a received payment of these. */
  assertNotTaken(objectId: string, movements: readonly LedgerTransfer[]): void;
  /** Answers the event that is left to the payment's workflow to deliver. */
  applyEffects(payment: DepositSnapshot | WithdrawalSnapshot, effects: TransitionEffects): void;
  raise(alert: AlertNote, operationId: string | null, objectId: string): void;
  resolve(objectId: string, kinds: readonly AlertKind[]): void;
  balance(operationId: string, account: LedgerAccount): bigint;
}
