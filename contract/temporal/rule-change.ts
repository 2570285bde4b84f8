// What the api, the `gateway` command and the rule change workflow share: its name, input, update and query, and how it is
// started. Its workflow id is the request's id (chg_…).
import type { SearchAttributePair } from '@temporalio/common';
import { defineQuery, defineUpdate } from '@temporalio/workflow';
import type { RuleChangeSnapshot } from '../../domain/rule-change.js';
import { SEARCH_ATTRIBUTES } from './search-attributes.js';
import { TASK_QUEUES } from './task-queues.js';

export const RULE_CHANGE_WORKFLOW = 'ruleChange';

/** Names the stored request; the rules and the justification stay in its row. */
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

/** Who wants the report computed anew. */
export interface RecomputeInput {
  readonly person: string;
}

/** Why an approval is refused before it counts for anything; the failure's type. */
export const RULE_CHANGE_REFUSALS = {
  ProofNotReady: 'its report is being computed; look at it with "gateway rules changes show", then approve its digest',
  OtherProof:
    'the digest is not that of its report; look at the report with "gateway rules changes show" before approving',
  InvalidDecision: 'that is no decision',
} as const;
export type RuleChangeRefusal = keyof typeof RULE_CHANGE_REFUSALS;

export type RuleChangeOutcome =
  /** The decision counted; the status says what came of it (`superseded` where the base version is not current any more). */
  | { readonly kind: 'done'; readonly change: RuleChangeSnapshot }
  /** Decided, superseded or expired before; nothing changed. */
  | { readonly kind: 'not_pending'; readonly change: RuleChangeSnapshot }
  /** The same person has approved already; another one must. */
  | { readonly kind: 'same_person'; readonly change: RuleChangeSnapshot }
  /** The report was computed anew in that moment: the approval was of another one. */
  | { readonly kind: 'other_proof'; readonly change: RuleChangeSnapshot };

/** An update: the person who decides needs to know whether the decision counted. */
export const decideRuleChange = defineUpdate<RuleChangeOutcome, [RuleChangeDecisionInput]>('decide');
/** An update: the person waits for the new report. Approvals of the earlier one do not count any more. */
export const recomputeRuleChangeProof = defineUpdate<RuleChangeOutcome, [RecomputeInput]>('recompute');
/** A query: null until the request's row was read. */
export const ruleChangeQuery = defineQuery<RuleChangeSnapshot | null>('ruleChange');

/**
 * How the workflow of a stored request is started: once, whoever comes first (the api, its repeat, or a person's decision
 * where the api never came to it). One that was terminated by hand starts again from the row.
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
