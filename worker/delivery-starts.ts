// Starts the delivery workflow of an event whose first attempt this process made, or found to be lost.
import { type Client, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import type { StartDelivery } from '../activities/webhooks/first-attempts.js';
import {
  deliveryOptions,
  WEBHOOK_DELIVERY_WORKFLOW,
  type WebhookDeliveryInput,
} from '../contract/temporal/webhook-delivery.js';

const CALL_TIMEOUT_MS = 10_000;

export function deliveryStarts(client: Client): StartDelivery {
  return async (delivery) => {
    try {
      await client.withDeadline(Date.now() + CALL_TIMEOUT_MS, () =>
        client.workflow.start<(input: WebhookDeliveryInput) => Promise<unknown>>(
          WEBHOOK_DELIVERY_WORKFLOW,
          deliveryOptions(delivery, 'webhook · retries'),
        ),
      );
    } catch (error) {
      // Somebody has requested it, or another check has started it.
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    }
  };
}
