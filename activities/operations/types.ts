// The activities on an operation as a whole: the day close, housekeeping, the gateway's checks of itself, rule changes.
// `at` is the time at which an activity runs, RFC 3339. Callers cannot set it.
import type { OpenCheckResult } from '../../contract/temporal/scheduled-work.js';
import type {
  RuleChangeDecisionInput,
  RuleChangeInput,
  RuleChangeOutcome,
} from '../../contract/temporal/rule-change.js';
import type { RuleChangeProofSummary, RuleChangeState } from '../../domain/rule-change.js';
import type { Book } from '../../store/reconciliation/freeze.js';

export type { Book } from '../../store/reconciliation/freeze.js';

/** Freezing closed days. */
export interface ReconciliationActivities {
  /** The books with a closed day to freeze, in order, after the given one. */
  booksToFreeze(input: { at: string; after: Book | null; limit: number }): Promise<Book[]>;
  /** Freezes the book's next closed days; call again while not `caughtUp`. Freezing twice changes nothing. */
  freezeDays(input: Book & { at: string }): Promise<{ days: number; caughtUp: boolean }>;
  /** Raises the alert that the book's closed days could not be frozen, unless they are. */
  raiseFreezeAlert(input: Book & { at: string }): Promise<void>;
}

/** The age of keys and webhook secrets. */
export interface RotationActivities {
  /**
   * Raises an alert for each secret that is too old, and resolves those of rotated secrets. Repeating it changes
   * nothing.
   */
  checkSecretAges(input: { at: string }): Promise<{ raised: number; resolved: number }>;
}

/** What is past its retention. */
export interface RetentionActivities {
  /**
   * Removes old callbacks, and the histories of erased players. `playersLeft`: a payment of theirs still runs; the next
   * day's run continues.
   */
  applyRetention(input: {
    at: string;
  }): Promise<{ callbacksRemoved: number; playersErased: number; playersLeft: number }>;
}

/**
 * Open objects against open workflows. `progress` is the answer of the previous step, `null` for the first. Only a step
 * can write it.
 */
export interface OpenCheckActivities {
  /**
   * Compares the open objects of the next operations and reopens those without a workflow. `last`: the last operation
   * of the page. With the last page it measures the payments that have been open longest, records the check's outcome,
   * and returns `progress` as `null`. Repeating it reopens nothing twice.
   */
  checkOpenPage(input: {
    at: string;
    progress: string | null;
  }): Promise<{ found: OpenCheckResult; last: string | null; progress: string | null }>;
}

/**
 * The nightly verification. Each check raises alerts for what it finds, resolves those that no longer apply, and
 * records its findings.
 */
export interface VerificationActivities {
  /**
   * Verifies the ledger of the next operation. `problems` counts those of all operations so far. After the last
   * operation they are recorded, and `progress` is `null`. Otherwise `progress` is the input of the next step; only a
   * step can write it.
   */
  verifyLedger(input: {
    at: string;
    progress: string | null;
  }): Promise<{ operationId: string | null; problems: number; progress: string | null }>;
  /** The whole chain, and that the head of the last verification is still in it. */
  verifyAuditChain(input: { at: string }): Promise<{ problems: number }>;
  /** A random sample of the last decisions. */
  verifyDecisions(input: { at: string }): Promise<{ problems: number }>;
  /** The acts of the last days that people signed. */
  verifySignatures(input: { at: string }): Promise<{ problems: number }>;
}

/** A proposed rule change in Postgres. The answers name no person. */
export interface RuleChangeActivities {
  loadRuleChange(input: RuleChangeInput): Promise<RuleChangeState>;
  /**
   * Decides the last 30 days again under the proposed rules and stores the report. If the change has a report, returns
   * that one.
   */
  proveRuleChange(input: RuleChangeInput & { at: string }): Promise<RuleChangeProofSummary>;
  /** Voids the report and the approvals of it, by a person's stored act. Repeating it changes nothing. */
  voidRuleChangeProof(input: RuleChangeInput & { actId: string; at: string }): Promise<RuleChangeOutcome>;
  /**
   * Stores a person's decision. The last approval puts the next rule set version in force with the event `eventId`, if
   * the base version is in force. Repeating it changes nothing.
   */
  decideRuleChange(
    input: RuleChangeInput & RuleChangeDecisionInput & { eventId: string; at: string },
  ): Promise<RuleChangeOutcome>;
  /** Before its deadline it fails, and is retried. A change that has ended stays as it is. */
  expireRuleChange(input: RuleChangeInput & { at: string }): Promise<RuleChangeState>;
}
