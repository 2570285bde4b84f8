// Publishes events. The first attempt is an activity beside the payment's loop; when it fails, a delivery workflow
// takes over.
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { ParentClosePolicy, startChild } from '@temporalio/workflow';
import { TASK_QUEUES } from '../../contract/temporal/task-queues.js';
import {
  DELIVERY_PAUSES_SECONDS,
  deliverySearchAttributes,
  WEBHOOK_DELIVERY_WORKFLOW,
  type WebhookDeliveryInput,
} from '../../contract/temporal/webhook-delivery.js';
import { firstDelivery } from './activity-proxies.js';
import { nextId } from './clock.js';

export class Publisher {
  private running = 0;
  private readonly published = new Set<string>();

  /**
   * An id for the next event. After a worker died, the repeated task draws the same ids again but starts after the
   * events that the lost task stored. So ids of published events are skipped.
   */
  nextEventId(): string {
    for (;;) {
      const id = nextId('event');
      if (!this.published.has(id)) return id;
    }
  }

  /** True when no first attempt is under way. A workflow ends only then. */
  get isIdle(): boolean {
    return this.running === 0;
  }

  /** Starts the delivery of an event that is stored. */
  publish(event: { id: string; type: string }, operationId: string): void {
    this.published.add(event.id);
    this.running += 1;
    void this.deliver(event, operationId).finally(() => {
      this.running -= 1;
    });
  }

  private async deliver({ id: eventId, type }: { id: string; type: string }, operationId: string): Promise<void> {
    try {
      const input = { eventId, operationId, attempt: 1, nextPauseSeconds: DELIVERY_PAUSES_SECONDS[0] };
      const result = await firstDelivery.deliverEvent(`send webhook ${type}`, input);
      if (result.kind !== 'failed') return;
    } catch {
      // The attempt was lost: no worker took it, or its worker died. The delivery workflow takes over.
    }
    await handOver({ eventId, operationId, attemptsMade: 1 }, type);
  }
}

async function handOver(input: WebhookDeliveryInput, type: string): Promise<void> {
  try {
    await startChild(WEBHOOK_DELIVERY_WORKFLOW, {
      workflowId: input.eventId,
      taskQueue: TASK_QUEUES.webhooks,
      args: [input],
      parentClosePolicy: ParentClosePolicy.ABANDON,
      staticSummary: `webhook ${type} · retries`,
      typedSearchAttributes: deliverySearchAttributes(input.operationId),
    });
  } catch (error) {
    // A redelivery of the same event already runs.
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}
