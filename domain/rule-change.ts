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
  /** RFC 3339. */
  readonly at: string;
}

export interface RuleChangeSnapshot {
  readonly id: string;
  readonly operationId: string;
  readonly status: RuleChangeStatus;
  /** The rule set version that the proposal was made from. */
  readonly baseVersion: number;
  readonly decisions: readonly RuleChangeDecision[];
  /** Null unless approved. */
  readonly appliedVersion: number | null;
  readonly createdAt: string;
  readonly decidedAt: string | null;
}

/** When an undecided request expires. */
export function ruleChangeExpiresAt({ createdAt }: Pick<RuleChangeSnapshot, 'createdAt'>): string {
  return new Date(Date.parse(createdAt) + RULE_CHANGE_EXPIRY_DAYS * 86_400_000).toISOString();
}

/** How many more different people must approve. */
export function approvalsMissing(decisions: readonly RuleChangeDecision[]): number {
  return Math.max(0, RULE_CHANGE_APPROVALS - decisions.filter(({ decision }) => decision === 'approve').length);
}

/** Whether the person has approved already. */
export function hasApproved(decisions: readonly RuleChangeDecision[], person: string): boolean {
  return decisions.some((earlier) => earlier.decision === 'approve' && isSamePerson(earlier.person, person));
}
