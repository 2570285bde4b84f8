// The contract of the webhook delivery workflow. Its workflow id is the event's id.
import { defineSignal } from '@temporalio/workflow';
import { SEARCH_ATTRIBUTES } from './search-attributes.js';
import type { WaitingFor } from './waits.js';
import { TASK_QUEUES } from './task-queues.js';

export const WEBHOOK_DELIVERY_WORKFLOW = 'webhookDelivery';

export interface WebhookDeliveryInput {
  readonly eventId: string;
  readonly operationId: string;
  /** Attempts made before this workflow took over: 1 after a failed first attempt, 0 for a redelivery. */
  readonly attemptsMade: number;
  /** Requested attempts that an earlier run with a long history did not make. */
  readonly requested?: number;
}

const WAITS_FOR: WaitingFor = 'webhook_delivery';

/** The search attributes of a delivery. */
function deliverySearchAttributes(operationId: string) {
  return [
    { key: SEARCH_ATTRIBUTES.OperationId, value: operationId },
    { key: SEARCH_ATTRIBUTES.WaitingFor, value: WAITS_FOR },
  ];
}

/** A signal: send the event once more now, outside the schedule. */
export const redeliver = defineSignal('redeliver');

/** Options of `start` for a delivery. `what` names it in the Temporal UI. */
export function deliveryOptions(input: WebhookDeliveryInput, what: string) {
  return {
    workflowId: input.eventId,
    taskQueue: TASK_QUEUES.webhooks,
    args: [input] as [WebhookDeliveryInput],
    staticSummary: what,
    typedSearchAttributes: deliverySearchAttributes(input.operationId),
  };
}

/** Options of `signalWithStart` for a redelivery. An open delivery sends at once; otherwise a new one starts. */
export function redeliveryOptions(eventId: string, operationId: string) {
  return {
    ...deliveryOptions({ eventId, operationId, attemptsMade: 0 }, 'webhook · redelivery'),
    workflowIdReusePolicy: 'ALLOW_DUPLICATE' as const,
    signal: redeliver,
    signalArgs: [] as [],
  };
}

/** The pauses between attempts: fixed, without jitter. After the last one the delivery is exhausted. */
export const DELIVERY_PAUSES_SECONDS = [10, 60, 300, 900, 3_600, 10_800, 21_600, 43_200, 86_400] as const;
