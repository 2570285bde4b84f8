// The contract of the redelivery of a range: the events of an operation between two moments.
import { SEARCH_ATTRIBUTES } from './search-attributes.js';
import { TASK_QUEUES } from './task-queues.js';

export const REDELIVERY_WORKFLOW = 'redelivery';

/** The events of an operation that are delivered again. */
export interface EventRange {
  readonly operationId: string;
  /** RFC 3339; the first moment that belongs to it, and the first that does not. */
  readonly from: string;
  readonly to: string;
  /** `undelivered`: only events that the endpoint has never accepted. */
  readonly selection: EventSelection;
}
export const EVENT_SELECTIONS = ['undelivered', 'all'] as const;
export type EventSelection = (typeof EVENT_SELECTIONS)[number];

export interface RedeliveryInput extends EventRange {
  /** The sequences between which they lie, both included. */
  readonly first: string;
  readonly last: string;
  /** Between two pages. */
  readonly pauseSeconds: number;
  /** How many earlier runs handed over. */
  readonly done: number;
}

export interface RedeliveryResult {
  readonly events: number;
}

/** Events that are handed over together. */
export const REDELIVERY_PAGE = 50;
/** Ten events a second: an endpoint that has just come back is not buried. */
export const REDELIVERY_PAUSE_SECONDS = 5;

/** One at a time for each operation: two would send everything twice. */
export const redeliveryWorkflowId = (operationId: string) => `redelivery-${operationId}`;

/** Options of `start`; it throws where one is under way. */
export function rangeRedeliveryOptions(input: RedeliveryInput) {
  return {
    workflowId: redeliveryWorkflowId(input.operationId),
    taskQueue: TASK_QUEUES.webhooks,
    args: [input] as [RedeliveryInput],
    workflowIdReusePolicy: 'ALLOW_DUPLICATE' as const,
    workflowIdConflictPolicy: 'FAIL' as const,
    staticSummary: 'webhooks · redelivery of a range',
    typedSearchAttributes: [{ key: SEARCH_ATTRIBUTES.OperationId, value: input.operationId }],
  };
}
