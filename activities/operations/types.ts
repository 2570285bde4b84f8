// The activities on an operation as a whole: the day close, housekeeping and rule changes.
import type { RuleChangeProofSummary, RuleChangeSnapshot } from '../../domain/rule-change.js';
import type { Book } from '../../store/reconciliation/freeze.js';

export type { Book } from '../../store/reconciliation/freeze.js';

/** Freezing closed days. `at` is workflow time, RFC 3339. */
export interface ReconciliationActivities {
  /** Books with a closed day to freeze, in order, after the given one. */
  booksToFreeze(input: { at: string; after: Book | null; limit: number }): Promise<Book[]>;
  /** Freezes the book's next days; call again while not `caughtUp`. Freezing twice changes nothing. */
  freezeDays(input: Book & { throughDay: string; at: string }): Promise<{ days: number; caughtUp: boolean }>;
  raiseFreezeAlert(input: Book & { throughDay: string; at: string }): Promise<void>;
}

/** The age of keys and webhook secrets. */
export interface RotationActivities {
  /**
   * Raises an alert for each secret that is too old, and resolves those of rotated secrets. Repeating it changes
   * nothing.
   */
  checkSecretAges(input: { at: string }): Promise<{ raised: number; resolved: number }>;
}

/** A proposed rule change in Postgres. */
export interface RuleChangeActivities {
  loadRuleChange(input: { changeId: string; operationId: string }): Promise<RuleChangeSnapshot>;
  /**
   * Decides the 30 days before `through` again under the proposed rules and stores the result as the proof with this
   * number. Repeating it answers the stored one. `person`: who asked for it, null for the first.
   */
  proveRuleChange(input: {
    changeId: string;
    operationId: string;
    number: number;
    through: string;
    person: string | null;
  }): Promise<RuleChangeProofSummary>;
  /** Stores decisions and status. A request that has ended stays as it is. */
  storeRuleChange(input: { change: RuleChangeSnapshot }): Promise<void>;
  /** Stores the next rule set version with its event, if the base version is in force. Repeating it changes nothing. */
  applyRuleChange(input: {
    change: RuleChangeSnapshot;
    eventId: string;
  }): Promise<{ kind: 'applied'; version: number } | { kind: 'superseded'; currentVersion: number }>;
}
