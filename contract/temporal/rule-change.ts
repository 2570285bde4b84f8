// The contract of the rule change workflow: its name, input, updates and query, and how it is started. Its workflow id
// is the request's id (chg_…).
import type { SearchAttributePair } from '@temporalio/common';
import { defineQuery, defineUpdate } from '@temporalio/workflow';
import type { RuleChangeRefusal, RuleChangeState } from '../../domain/rule-change.js';
import { SEARCH_ATTRIBUTES } from './search-attributes.js';
import { TASK_QUEUES } from './workers.js';

export const RULE_CHANGE_WORKFLOW = 'ruleChange';

/** Identifies the stored request. Its rules and justification stay in its row. */
export interface RuleChangeInput {
  readonly changeId: string;
  readonly operationId: string;
}

/** The kind of the decision, and the stored act of the person who decides. Who and why stay in the act's row. */
export interface RuleChangeDecisionInput {
  readonly decision: 'approve' | 'reject';
  readonly actId: string;
}

/** The stored act of the person who requests a new report. */
export interface RecomputeInput {
  readonly actId: string;
}

/**
 * `done`: the act counted. The status has the result: `superseded` when the base version is no longer in force. All
 * others: nothing changed.
 */
export interface RuleChangeOutcome {
  readonly kind: 'done' | RuleChangeRefusal;
  readonly change: RuleChangeState;
}

/** An update, because the person needs to know whether the decision counted. */
export const decideRuleChange = defineUpdate<RuleChangeOutcome, [RuleChangeDecisionInput]>('decide');
/** An update, because the person waits for the new report. Approvals of the earlier report no longer count. */
export const recomputeRuleChangeProof = defineUpdate<RuleChangeOutcome, [RecomputeInput]>('recompute');
/** A query. Null until the request's row is loaded. */
export const ruleChangeQuery = defineQuery<RuleChangeState | null>('ruleChange');

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
