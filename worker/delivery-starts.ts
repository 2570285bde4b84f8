// Starts the delivery workflow of an event, one of whose attempts this process made.
import { type Client, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import type { StartDelivery } from '../activities/webhooks/memory-attempts.js';
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
          deliveryOptions(delivery),
        ),
      );
    } catch (error) {
      // A run that came late continues. If it is none of ours, the outbox has when the next attempt is due.
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    }
  };
}
