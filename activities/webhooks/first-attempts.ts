// The first attempts to deliver the events that this process has just stored. They are made from memory, beside the
// steps: a step does not wait for an operator, and an accepted event costs Temporal nothing. A failed attempt is handed
// to a delivery workflow; one that is lost with the process is found by the check of deliveries.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { DELIVERY_PAUSES_SECONDS, type WebhookDeliveryInput } from '../../contract/temporal/webhook-delivery.js';
import { DELIVERY_FAILPOINTS, failpoint } from '../../platform/failpoints/failpoints.js';
import { count } from '../../platform/telemetry/instruments.js';
import type { SealedDelivery } from '../../store/events/deliveries.js';
import type { FirstAttempts, StoredEvent } from '../../store/events/first-attempts.js';
import type { DeliveryResult, WebhookActivities } from './types.js';

/** The answer to the caller who created the payment leaves first. */
const AFTER_MS = 50;
/** Attempts under way at once. Beyond it, and for a slow operation, workflows make the first attempts. */
const MOST_UNDER_WAY = 200;
const MOST_UNDER_WAY_OF_OPERATION = 20;
/** An operation whose attempt took longer is spared for a while: slow receivers must not use this process up. */
const SLOW_MS = 1_000;
const SPARED_MS = 600_000;

/** Starts the delivery workflow of an event, unless there is one. */
export type StartDelivery = (delivery: WebhookDeliveryInput) => Promise<void>;

export interface FirstAttemptDependencies {
  readonly deliver: (
    input: Parameters<WebhookActivities['deliverEvent']>[0],
    delivery: SealedDelivery,
  ) => Promise<DeliveryResult>;
  readonly startDelivery: StartDelivery;
  readonly logger: Logger;
  readonly afterMs?: number;
  readonly nowMs?: () => number;
}

export class MemoryFirstAttempts implements FirstAttempts {
  private readonly underWay = new Map<string, number>();
  private readonly attempts = new Set<Promise<void>>();
  private readonly sparedUntilMs = new Map<string, number>();
  private isClosing = false;

  constructor(private readonly dependencies: FirstAttemptDependencies) {}

  takes(operationId: string): boolean {
    if (this.isClosing || this.attempts.size >= MOST_UNDER_WAY) return false;
    if ((this.underWay.get(operationId) ?? 0) >= MOST_UNDER_WAY_OF_OPERATION) return false;
    return this.nowMs() >= (this.sparedUntilMs.get(operationId) ?? 0);
  }

  begin(event: StoredEvent, delivery: SealedDelivery): void {
    const { operationId } = event;
    const slow = setTimeout(() => this.sparedUntilMs.set(operationId, this.nowMs() + SPARED_MS), SLOW_MS);
    const attempt = this.attempt(event, delivery).finally(() => {
      clearTimeout(slow);
      this.attempts.delete(attempt);
      this.note(operationId, -1);
    });
    this.attempts.add(attempt);
    this.note(operationId, 1);
  }

  /** Takes no more, and waits for the attempts under way. */
  async close(): Promise<void> {
    this.isClosing = true;
    await Promise.all(this.attempts);
  }

  /** Never throws: what is lost here is found by the check of deliveries. */
  private async attempt({ eventId, operationId, objectId }: StoredEvent, delivery: SealedDelivery): Promise<void> {
    const { deliver, startDelivery, logger, afterMs = AFTER_MS } = this.dependencies;
    const input = { eventId, operationId, attempt: 1, nextPauseSeconds: DELIVERY_PAUSES_SECONDS[0] };
    await sleep(afterMs);
    try {
      await failpoint(DELIVERY_FAILPOINTS.before, objectId);
      const { kind } = await deliver(input, delivery);
      await failpoint(DELIVERY_FAILPOINTS.after, objectId);
      if (kind === 'failed') await startDelivery({ eventId, operationId, attemptsMade: 1 });
    } catch (error) {
      count('gateway_webhook_first_attempts_lost_total', {});
      logger.warn({ eventId, error: error instanceof Error ? error.name : 'unknown' }, 'a first attempt was lost');
    }
  }

  private note(operationId: string, by: 1 | -1): void {
    const now = (this.underWay.get(operationId) ?? 0) + by;
    if (now === 0) this.underWay.delete(operationId);
    else this.underWay.set(operationId, now);
  }

  private nowMs(): number {
    return this.dependencies.nowMs?.() ?? performance.now();
  }
}
