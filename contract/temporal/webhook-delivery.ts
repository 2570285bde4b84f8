// The contract of the webhook delivery workflow: the repeats of a delivery whose first attempt failed. Its workflow id
// is the event's id.
import { SEARCH_ATTRIBUTES, type WaitingFor } from './search-attributes.js';
import { TASK_QUEUES } from './workers.js';

export const WEBHOOK_DELIVERY_WORKFLOW = 'webhookDelivery';

export interface WebhookDeliveryInput {
  readonly eventId: string;
  readonly operationId: string;
  /** Attempts of the schedule that were made before this run took over, at least 1. */
  readonly attemptsMade: number;
}

const WAITS_FOR: WaitingFor = 'webhook_delivery';

/** Options of `start`; it throws where a run has the event's id. */
export function deliveryOptions(input: WebhookDeliveryInput) {
  return {
    workflowId: input.eventId,
    taskQueue: TASK_QUEUES.webhooks,
    args: [input] as [WebhookDeliveryInput],
    staticSummary: 'webhook · retries',
    typedSearchAttributes: [
      { key: SEARCH_ATTRIBUTES.OperationId, value: input.operationId },
      { key: SEARCH_ATTRIBUTES.WaitingFor, value: WAITS_FOR },
    ],
  };
}

/** The pauses between attempts: fixed, without jitter. After the last one the delivery is exhausted. */
export const DELIVERY_PAUSES_SECONDS = [10, 60, 300, 900, 3_600, 10_800, 21_600, 43_200, 86_400] as const;
