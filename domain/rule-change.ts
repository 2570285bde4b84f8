// A proposed change of an operation's rules: its states, which approvals count, and what a person's act does to it.
import { isSamePerson } from './people.js';
import {
  type ActSubject,
  type RuleChangeActKind,
  type StaffAct,
  staffActRefusal,
  type StaffMeans,
  type StaffActRefusal,
  type UsedAct,
} from './staff.js';

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
  /** The stored act behind it; a repeat of the act changes nothing. */
  readonly actId: string;
  /** The means by which the person was authenticated. */
  readonly means: StaffMeans;
  /** Where the person's request came from; `null` without one. */
  readonly address: string | null;
  readonly person: string;
  readonly decision: 'approve' | 'reject';
  readonly reason: string;
  /** The digest of the approved proof; `null` for a rejection. */
  readonly digest: string | null;
  /** RFC 3339. */
  readonly at: string;
}

/** The change as its workflow holds it: without people and what they wrote. */
export interface RuleChangeState extends Omit<RuleChangeSnapshot, 'decisions'> {
  /** How many more people must approve the report. */
  readonly approvalsMissing: number;
}

/** The part of a change that its workflow and the caller of an update may know. */
export function ruleChangeState({ decisions, ...change }: RuleChangeSnapshot): RuleChangeState {
  return { ...change, approvalsMissing: approvalsMissing({ decisions, proof: change.proof }) };
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
  /** `null` until it is computed. Approvals need it. */
  readonly proof: RuleChangeProofSummary | null;
  /** `null` unless approved. */
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

/** What an act on the change refers to. An approval is for one report. */
export function subjectOf(
  { id, operationId, baseVersion, proof }: RuleChangeSnapshot,
  kind: RuleChangeActKind,
): ActSubject {
  return {
    id,
    operationId,
    version: baseVersion,
    digest: kind === 'rule_change.approve' ? (proof?.digest ?? null) : null,
  };
}

/** Why an act on a change is refused. Nothing changed. */
export type RuleChangeRefusal =
  /** Decided, superseded or expired already. */
  | 'not_pending'
  /** The approval is for another report than the current one. */
  | 'other_proof'
  /** This person has approved the report already. */
  | 'same_person'
  | StaffActRefusal;

/** Why the act on the change is refused; `null` if it is not. */
export function ruleChangeRefusal(
  change: RuleChangeSnapshot,
  act: StaffAct | null,
  kind: RuleChangeActKind,
): RuleChangeRefusal | null {
  if (change.status !== 'pending_approval') return 'not_pending';
  const refusal = staffActRefusal(act, kind, subjectOf(change, kind));
  if (refusal === null && kind === 'rule_change.approve' && change.proof === null) return 'other_proof';
  // The version that a change is based on never changes, so its report must have changed.
  if (refusal !== null || act === null) return refusal === 'subject_changed' ? 'other_proof' : refusal;
  return kind === 'rule_change.approve' && hasApproved(change, act.handle) ? 'same_person' : null;
}

/** The act that a decision uses up: an approval by a person who has not approved this report. */
export function usedBy(
  change: RuleChangeSnapshot,
  { id, means, address }: Pick<UsedAct, 'id' | 'means' | 'address'>,
  kind: RuleChangeActKind,
): UsedAct {
  const others = kind === 'rule_change.approve' ? countedApprovals(change).map(({ person }) => person) : [];
  return { id, kind, means, address, others };
}
