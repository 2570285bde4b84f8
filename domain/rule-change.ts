// A proposed change of an operation's rules: its states, and which approvals count.
import { isSamePerson } from './people.js';

/**
 * `pending_approval` waits for two people. All others are final. `approved`: a new rule set version is in force.
 * `superseded`: approved, but its base version was no longer in force, so nothing changed. `expired`: not decided in
 * time.
 */
export const RULE_CHANGE_STATUSES = ['pending_approval', 'approved', 'rejected', 'superseded', 'expired'] as const;
export type RuleChangeStatus = (typeof RULE_CHANGE_STATUSES)[number];

/** Two, because the requester is an API key and not a person. */
export const RULE_CHANGE_APPROVALS = 2;
const RULE_CHANGE_EXPIRY_DAYS = 30;

export interface RuleChangeDecision {
  readonly person: string;
  readonly decision: 'approve' | 'reject';
  readonly reason: string;
  /** The digest of the approved proof; null for a rejection. */
  readonly digest: string | null;
  /** RFC 3339. */
  readonly at: string;
}

/** The proof as the workflow holds it. The report itself stays in the row of the request. */
export interface RuleChangeProofSummary {
  readonly digest: string;
  /** 1 for the first computed proof, 2 for the next. */
  readonly number: number;
  /** One line for people: counts and amounts, no ids. */
  readonly summary: string;
}

export interface RuleChangeSnapshot {
  readonly id: string;
  readonly operationId: string;
  readonly status: RuleChangeStatus;
  /** The rule set version that the proposal is based on. */
  readonly baseVersion: number;
  readonly decisions: readonly RuleChangeDecision[];
  /** Null until it is computed. Approvals need it. */
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

/** The approvals of the current proof. Those of an earlier proof are void. */
export function countedApprovals({ decisions, proof }: Approvable): RuleChangeDecision[] {
  return decisions.filter(
    ({ decision, digest }) => decision === 'approve' && proof !== null && digest === proof.digest,
  );
}

/** How many more people must approve. */
export function approvalsMissing(change: Approvable): number {
  return Math.max(0, RULE_CHANGE_APPROVALS - countedApprovals(change).length);
}

/** Whether the person's approval already counts. */
export function hasApproved(change: Approvable, person: string): boolean {
  return countedApprovals(change).some((earlier) => isSamePerson(earlier.person, person));
}
