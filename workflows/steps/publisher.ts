// Publishes the events that no process delivers from its memory. The first attempt is an activity concurrent with the
// payment's loop; if it fails, a delivery workflow takes over.
import { CancellationScope } from '@temporalio/workflow';
import type { PublishedEvent } from '../../contract/temporal/transitions.js';
import { DELIVERY_PAUSES_SECONDS } from '../../contract/temporal/webhook-delivery.js';
import { firstDelivery } from './activity-proxies.js';
import { startDelivery } from './delivery-workflows.js';

export class Publisher {
  private running = 0;
  private readonly published = new Set<string>();

  constructor(private readonly operationId: string) {}

  /** Whether no first attempt is under way. A workflow ends only then. */
  get isIdle(): boolean {
    return this.running === 0;
  }

  /** Starts the delivery of an event that is stored; once, however often it is found. */
  publish(event: PublishedEvent): void {
    if (this.published.has(event.id)) return;
    this.published.add(event.id);
    this.running += 1;
    // An event is found within a call that may be abandoned: its delivery is not part of that call.
    void CancellationScope.nonCancellable(() => this.deliver(event)).finally(() => {
      this.running -= 1;
    });
  }

  private async deliver({ id: eventId, type }: PublishedEvent): Promise<void> {
    const { operationId } = this;
    const input = { eventId, operationId, attempt: 1, nextPauseSeconds: DELIVERY_PAUSES_SECONDS[0] };
    try {
      const result = await firstDelivery.deliverEvent(`send webhook ${type}`, input);
      if (result.kind !== 'failed') return;
    } catch {
      // The attempt was lost: no worker took it, or its worker died. The delivery workflow takes over.
    }
    // A redelivery of the same event may already run.
    await startDelivery({ eventId, operationId, attemptsMade: 1 }, `webhook ${type} · retries`);
  }
}
