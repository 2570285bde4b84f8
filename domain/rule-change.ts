// A proposed change of an operation's rules: its states, and what a decision makes of it.
import { isSamePerson } from './people.js';

/**
 * `pending_approval` waits for two people. `approved`: a new rule set version is in force. `superseded`: approved, but the
 * version that it was based on is not in force any more, so nothing changed. `expired`: nobody decided in time.
 */
export const RULE_CHANGE_STATUSES = ['pending_approval', 'approved', 'rejected', 'superseded', 'expired'] as const;
export type RuleChangeStatus = (typeof RULE_CHANGE_STATUSES)[number];

/** The requester is an API key, not a person: so two people approve. */
export const RULE_CHANGE_APPROVALS = 2;
export const RULE_CHANGE_EXPIRY_DAYS = 30;

export interface RuleChangeDecision {
  readonly person: string;
  readonly decision: 'approve' | 'reject';
  readonly reason: string;
  /** What was approved: the proof's digest; null for a rejection. */
  readonly digest: string | null;
  /** RFC 3339. */
  readonly at: string;
}

/** The proof as the workflow knows it; the report itself stays in the request's row. */
export interface RuleChangeProofSummary {
  readonly digest: string;
  /** 1 for the first one computed, 2 for the next. */
  readonly number: number;
  /** For people, in one line: ids of nobody, counts and amounts only. */
  readonly summary: string;
}

export interface RuleChangeSnapshot {
  readonly id: string;
  readonly operationId: string;
  readonly status: RuleChangeStatus;
  /** The rule set version that the proposal was made from. */
  readonly baseVersion: number;
  readonly decisions: readonly RuleChangeDecision[];
  /** Null until it is computed; without it nobody can approve. */
  readonly proof: RuleChangeProofSummary | null;
  /** Null unless approved. */
  readonly appliedVersion: number | null;
  readonly createdAt: string;
  readonly decidedAt: string | null;
}

/** When an undecided request expires. */
export function ruleChangeExpiresAt({ createdAt }: Pick<RuleChangeSnapshot, 'createdAt'>): string {
  return new Date(Date.parse(createdAt) + RULE_CHANGE_EXPIRY_DAYS * 86_400_000).toISOString();
}

type Approvable = Pick<RuleChangeSnapshot, 'decisions' | 'proof'>;

/** The approvals that count: those of the proof that is there now. An earlier proof's are void, whoever gave them. */
export function countedApprovals({ decisions, proof }: Approvable): RuleChangeDecision[] {
  return decisions.filter(
    ({ decision, digest }) => decision === 'approve' && proof !== null && digest === proof.digest,
  );
}

/** How many more different people must approve. */
export function approvalsMissing(change: Approvable): number {
  return Math.max(0, RULE_CHANGE_APPROVALS - countedApprovals(change).length);
}

/** Whether the person's approval counts already. */
export function hasApproved(change: Approvable, person: string): boolean {
  return countedApprovals(change).some((earlier) => isSamePerson(earlier.person, person));
}
