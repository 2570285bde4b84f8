// Starts the delivery workflow of an event, which outlives the workflow that starts it; or signals the running one.
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { getExternalWorkflowHandle, isCancellation, ParentClosePolicy, startChild } from '@temporalio/workflow';
import {
  deliveryOptions,
  redeliver,
  WEBHOOK_DELIVERY_WORKFLOW,
  type WebhookDeliveryInput,
} from '../../contract/temporal/webhook-delivery.js';

/** `what` names it in the Temporal UI. @returns false if a delivery of the event is under way */
async function startDelivery(input: WebhookDeliveryInput, what: string): Promise<boolean> {
  try {
    await startChild(WEBHOOK_DELIVERY_WORKFLOW, {
      ...deliveryOptions(input, what),
      parentClosePolicy: ParentClosePolicy.ABANDON,
    });
    return true;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
    throw error;
  }
}

/** Requests one more delivery of an event. Resolves when it is requested, not when it is made. */
export async function deliverAgain(event: Pick<WebhookDeliveryInput, 'eventId' | 'operationId'>): Promise<void> {
  const start = () => startDelivery({ ...event, attemptsMade: 0 }, 'webhook · redelivery');
  if ((await start()) || (await isAsked(event.eventId))) return;
  // The delivery that was under way ended between the two calls.
  await start();
}

async function isAsked(eventId: string): Promise<boolean> {
  try {
    await getExternalWorkflowHandle(eventId).signal(redeliver);
    return true;
  } catch (error) {
    if (isCancellation(error)) throw error;
    return false;
  }
}
