// The activities on an operation as a whole, as workflows see them: the day close, housekeeping and changes of rules.
import type { RuleChangeProofSummary, RuleChangeSnapshot } from '../domain/rule-change.js';

/** An operation's settlements in one currency. */
export interface Book {
  readonly operationId: string;
  readonly currency: string;
}

/** Freezing closed days. `at` is the clock: workflow time, RFC 3339. */
export interface ReconciliationActivities {
  /** Books with a closed day to freeze, in order, after the given one. */
  booksToFreeze(input: { at: string; after: Book | null; limit: number }): Promise<Book[]>;
  /** Freezes the book's next days; call again while not `caughtUp`. Freezing twice changes nothing. */
  freezeDays(input: Book & { throughDay: string; at: string }): Promise<{ days: number; caughtUp: boolean }>;
  raiseFreezeAlert(input: Book & { throughDay: string; at: string }): Promise<void>;
}

/** The age of keys and webhook secrets. */
export interface RotationActivities {
  /** Raises an alert for each secret that has grown too old, and resolves those of secrets that were rotated. Doing it twice changes nothing. */
  checkSecretAges(input: { at: string }): Promise<{ raised: number; resolved: number }>;
}

/** A proposed change of rules in Postgres. */
export interface RuleChangeActivities {
  loadRuleChange(input: { changeId: string; operationId: string }): Promise<RuleChangeSnapshot>;
  /**
   * Decides the last 30 days before `through` again under the proposed rules and stores that as the proof with this number.
   * Repeating it gives the stored one. `person`: who asked for it, null for the first.
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
  /** The next rule set version with its event, if the base version is in force. Repeating it changes nothing. */
  applyRuleChange(input: {
    change: RuleChangeSnapshot;
    eventId: string;
  }): Promise<{ kind: 'applied'; version: number } | { kind: 'superseded'; currentVersion: number }>;
}
