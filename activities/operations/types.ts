// The activities on an operation as a whole: the day close, housekeeping, the gateway's checks of itself, rule changes.
import type { RuleChangeProofSummary, RuleChangeSnapshot } from '../../domain/rule-change.js';
import type { OpenCheckResult } from '../../contract/temporal/open-check.js';
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

/** Open objects against open workflows. `at` is workflow time, RFC 3339. */
export interface OpenCheckActivities {
  /**
   * Compares the open objects of the next operations and reopens those without a workflow. `last`: the last operation
   * of the page, null at the end. Repeating it reopens nothing twice.
   */
  checkOpenPage(input: { at: string; after: string | null }): Promise<{ found: OpenCheckResult; last: string | null }>;
  /** Measures the payments that have been open longest, and notes the check's outcome. */
  concludeOpenCheck(input: { at: string } & OpenCheckResult): Promise<void>;
}

/** The nightly verification. Each raises alerts for what it finds and resolves those of what holds again. */
export interface VerificationActivities {
  /** The ledger of the next operation; null when there is no other. */
  verifyLedger(input: { at: string; after: string | null }): Promise<{ operationId: string | null; problems: number }>;
  noteLedger(input: { at: string; problems: number }): Promise<void>;
  /** The whole chain, and that the head of the last verification is still in it. */
  verifyAuditChain(input: { at: string }): Promise<{ problems: number }>;
  /** A random sample of the last decisions. */
  verifyDecisions(input: { at: string }): Promise<{ problems: number }>;
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
