// The activities on an operation as a whole: the day close, housekeeping, the gateway's checks of itself, rule changes.
import type { OpenCheckResult } from '../../contract/temporal/open-check.js';
import type {
  RuleChangeDecisionInput,
  RuleChangeInput,
  RuleChangeOutcome,
} from '../../contract/temporal/rule-change.js';
import type { RuleChangeProofSummary, RuleChangeState } from '../../domain/rule-change.js';
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

/** What is past its retention. `at` is workflow time, RFC 3339. */
export interface RetentionActivities {
  /**
   * Removes old callbacks, and the histories of erased players. `playersLeft`: a payment of theirs still runs; the next
   * day's run goes on.
   */
  applyRetention(input: {
    at: string;
  }): Promise<{ callbacksRemoved: number; playersErased: number; playersLeft: number }>;
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
  /** The acts of the last days that people signed. */
  verifySignatures(input: { at: string }): Promise<{ problems: number }>;
}

/** A proposed rule change in Postgres. What is answered names no person. `at` is workflow time, RFC 3339. */
export interface RuleChangeActivities {
  loadRuleChange(input: RuleChangeInput): Promise<RuleChangeState>;
  /**
   * Decides the 30 days before `through` again under the proposed rules and stores the result, if the change has no
   * report. Otherwise answers the one that it has.
   */
  proveRuleChange(input: RuleChangeInput & { through: string }): Promise<RuleChangeProofSummary>;
  /** Voids the report and the approvals of it, by a person's stored act. Repeating it changes nothing. */
  voidRuleChangeProof(input: RuleChangeInput & { actId: string; at: string }): Promise<RuleChangeOutcome>;
  /**
   * Stores a person's decision. The last approval puts the next rule set version in force with the event `eventId`, if
   * the base version is in force. Repeating it changes nothing.
   */
  decideRuleChange(
    input: RuleChangeInput & RuleChangeDecisionInput & { eventId: string; at: string },
  ): Promise<RuleChangeOutcome>;
  /** A change that has ended stays as it is. */
  expireRuleChange(input: RuleChangeInput & { at: string }): Promise<RuleChangeState>;
}
