// The contract of the rule change workflow: its name, input, updates and query, and how it is started. Its workflow id
// is the request's id (chg_…).
import type { SearchAttributePair } from '@temporalio/common';
import { defineQuery, defineUpdate } from '@temporalio/workflow';
import type { RuleChangeSnapshot } from '../../domain/rule-change.js';
import { SEARCH_ATTRIBUTES } from './search-attributes.js';
import { TASK_QUEUES } from './task-queues.js';

export const RULE_CHANGE_WORKFLOW = 'ruleChange';

/** Identifies the stored request. Its rules and justification stay in its row. */
export interface RuleChangeInput {
  readonly changeId: string;
  readonly operationId: string;
}

export interface RuleChangeDecisionInput {
  readonly decision: 'approve' | 'reject';
  readonly person: string;
  readonly reason: string;
  /** The digest of the proof that the person approves; null for a rejection. */
  readonly digest: string | null;
}

/** The person who requests a new report. */
export interface RecomputeInput {
  readonly person: string;
}

/** Failure types of a rejected decision, each with its message. */
export const RULE_CHANGE_REFUSALS = {
  ProofNotReady: 'its report is being computed; look at it with "gateway rules changes show", then approve its digest',
  OtherProof:
    'the digest is not that of its report; look at the report with "gateway rules changes show" before approving',
  InvalidDecision: 'that is not a valid decision',
} as const;
export type RuleChangeRefusal = keyof typeof RULE_CHANGE_REFUSALS;

export type RuleChangeOutcome =
  /** The decision counted. The status has the result: `superseded` when the base version is no longer in force. */
  | { readonly kind: 'done'; readonly change: RuleChangeSnapshot }
  /** Already decided, superseded or expired. Nothing changed. */
  | { readonly kind: 'not_pending'; readonly change: RuleChangeSnapshot }
  /** The same person has already approved. Another person must. */
  | { readonly kind: 'same_person'; readonly change: RuleChangeSnapshot }
  /** The report was computed again meanwhile. The approval was for another one. */
  | { readonly kind: 'other_proof'; readonly change: RuleChangeSnapshot };

/** An update, because the person needs to know whether the decision counted. */
export const decideRuleChange = defineUpdate<RuleChangeOutcome, [RuleChangeDecisionInput]>('decide');
/** An update, because the person waits for the new report. Approvals of the earlier report no longer count. */
export const recomputeRuleChangeProof = defineUpdate<RuleChangeOutcome, [RecomputeInput]>('recompute');
/** A query. Null until the request's row is loaded. */
export const ruleChangeQuery = defineQuery<RuleChangeSnapshot | null>('ruleChange');

/**
 * Start options of the workflow of a stored request. It starts once, by the api, its retry, or a decision. A terminated
 * workflow can start again from the row.
 */
export function ruleChangeStart(input: RuleChangeInput, operationName: string) {
  return {
    workflowId: input.changeId,
    taskQueue: TASK_QUEUES.payments,
    args: [input] as [RuleChangeInput],
    workflowIdConflictPolicy: 'USE_EXISTING',
    workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
    staticSummary: `rule change · op ${operationName}`,
    staticDetails: [
      `- operation: ${operationName} (${input.operationId})`,
      `- see: gateway rules changes show ${input.changeId}`,
    ].join('\n'),
    typedSearchAttributes: [
      { key: SEARCH_ATTRIBUTES.OperationId, value: input.operationId },
      { key: SEARCH_ATTRIBUTES.PaymentKind, value: 'rule_change' },
      { key: SEARCH_ATTRIBUTES.PaymentStatus, value: 'pending_approval' },
      { key: SEARCH_ATTRIBUTES.WaitingFor, value: 'rule_change_proof' },
      { key: SEARCH_ATTRIBUTES.Summary, value: `rule change · ${operationName}` },
    ] as SearchAttributePair[],
  } as const;
}
