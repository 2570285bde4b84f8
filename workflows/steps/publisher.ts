// Publishes events. The first attempt is an activity concurrent with the payment's loop; if it fails, a delivery
// workflow takes over.
import { CancellationScope } from '@temporalio/workflow';
import { DELIVERY_PAUSES_SECONDS } from '../../contract/temporal/webhook-delivery.js';
import type { DeliveryResult, WebhookActivities } from '../../activities/types.js';
import type { PublishedEvent } from '../../contract/temporal/transitions.js';
import { briefDelivery, firstDelivery } from './activity-proxies.js';
import { startDelivery } from './delivery-workflows.js';

export class Publisher {
  private running = 0;
  private readonly published = new Set<string>();

  constructor(private readonly operationId: string) {}

  /** Whether no first attempt is under way. A workflow ends only then. */
  get isIdle(): boolean {
    return this.running === 0;
  }

  /**
   * Starts the delivery of an event that is stored; once, however often it is found. `isLast`: no other event of the
   * payment is expected, so the first attempt may be a brief local one that costs no task of its own.
   */
  publish(event: PublishedEvent, isLast = false): void {
    if (this.published.has(event.id)) return;
    this.published.add(event.id);
    this.running += 1;
    // An event is found within a call that may be abandoned: its delivery is not part of that call.
    void CancellationScope.nonCancellable(() => this.deliver(event, isLast)).finally(() => {
      this.running -= 1;
    });
  }

  private async deliver({ id: eventId, type }: PublishedEvent, isLast: boolean): Promise<void> {
    const { operationId } = this;
    const input = { eventId, operationId, attempt: 1, nextPauseSeconds: DELIVERY_PAUSES_SECONDS[0] };
    try {
      const briefly = isLast ? await deliverBriefly(input, type) : null;
      const result = briefly ?? (await firstDelivery.deliverEvent(`send webhook ${type}`, input));
      if (result.kind !== 'failed') return;
    } catch {
      // The attempt was lost: no worker took it, or its worker died. The delivery workflow takes over.
    }
    // A redelivery of the same event may already run.
    await startDelivery({ eventId, operationId, attemptsMade: 1 }, `webhook ${type} · retries`);
  }
}

/** `null` if no answer came within a moment: the attempt is then made as a regular activity. */
async function deliverBriefly(
  input: Parameters<WebhookActivities['deliverEvent']>[0],
  type: string,
): Promise<DeliveryResult | null> {
  try {
    return await briefDelivery.deliverBriefly(`send webhook ${type}`, input);
  } catch {
    return null;
  }
}
