// Starts the delivery workflow of an event whose first attempt this process made, or found to be lost.
import { type Client, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import type { StartDelivery } from '../activities/webhooks/first-attempts.js';
import {
  deliveryOptions,
  WEBHOOK_DELIVERY_WORKFLOW,
  type WebhookDeliveryInput,
} from '../contract/temporal/webhook-delivery.js';
import { boundedCalls } from './bounded-calls.js';

export function deliveryStarts(client: Client): StartDelivery {
  const bounded = boundedCalls(client);
  return async (delivery) => {
    try {
      await bounded(() =>
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
