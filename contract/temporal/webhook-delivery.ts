// What the webhook delivery workflow shares with those who start it. Its workflow id is the event's id.
import { defineSignal } from '@temporalio/workflow';

export const WEBHOOK_DELIVERY_WORKFLOW = 'webhookDelivery';

export interface WebhookDeliveryInput {
  readonly eventId: string;
  readonly operationId: string;
  /** Attempts made before this workflow took over: 1 after a failed first attempt, 0 for a redelivery. */
  readonly attemptsMade: number;
}

/** A signal: send it once more now, whatever the schedule says. */
export const redeliver = defineSignal('redeliver');

/** Pauses between attempts, after one another: fixed intervals, no jitter; then the delivery is exhausted. */
export const DELIVERY_PAUSES_SECONDS = [10, 60, 300, 900, 3_600, 10_800, 21_600, 43_200, 86_400] as const;
