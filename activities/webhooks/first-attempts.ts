// The first attempts to deliver events: those that this process has just stored, and those that it took out of the
// outbox. They are made from memory, beside the steps: a step does not wait for an operator, and an accepted event
// costs Temporal nothing. A failed attempt is handed to a delivery workflow; one that is lost with the process is found
// by the check of deliveries.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { DELIVERY_PAUSES_SECONDS, type WebhookDeliveryInput } from '../../contract/temporal/webhook-delivery.js';
import { DELIVERY_FAILPOINTS, failpoint } from '../../platform/failpoints/failpoints.js';
import { count } from '../../platform/telemetry/instruments.js';
import type { SealedDelivery } from '../../store/events/deliveries.js';
import type { FirstAttempts, StoredEvent } from '../../store/events/first-attempts.js';
import type { TakenEvent } from '../../store/events/outbox.js';
import type { DeliveryResult, WebhookActivities } from './types.js';

/** The answer to the caller who created the payment leaves first. */
const AFTER_MS = 50;
/** Attempts under way at once. Beyond it events stay in the outbox. */
const MOST_UNDER_WAY = 200;
/** Beyond it, and for a slow operation, workflows make the first attempts. */
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

  /** How many more attempts may begin now. */
  get free(): number {
    return this.isClosing ? 0 : Math.max(0, MOST_UNDER_WAY - this.attempts.size);
  }

  takes(operationId: string): boolean {
    return this.free > 0 && this.isServed(operationId);
  }

  begin(event: StoredEvent, delivery: SealedDelivery): void {
    const { afterMs = AFTER_MS } = this.dependencies;
    this.keep(event, async () => {
      await sleep(afterMs);
      await this.attempt(event, delivery);
    });
  }

  /** Delivers an event that was taken out of the outbox: here, or by a workflow if its operation is spared. */
  deliver({ delivery, ...event }: TakenEvent): void {
    const { operationId } = event;
    const isServed = this.isServed(operationId);
    this.keep(event, () => (isServed ? this.attempt(event, delivery) : this.handOver(event, 0)));
  }

  /** Takes no more, and waits for the attempts under way. */
  async close(): Promise<void> {
    this.isClosing = true;
    await Promise.all(this.attempts);
  }

  private isServed(operationId: string): boolean {
    if ((this.underWay.get(operationId) ?? 0) >= MOST_UNDER_WAY_OF_OPERATION) return false;
    return this.nowMs() >= (this.sparedUntilMs.get(operationId) ?? 0);
  }

  /** Never throws: what is lost here is found by the check of deliveries. */
  private keep({ eventId, operationId }: StoredEvent, work: () => Promise<void>): void {
    const attempt = work()
      .catch((error: unknown) => {
        count('gateway_webhook_first_attempts_lost_total', {});
        const reason = error instanceof Error ? error.name : 'unknown';
        this.dependencies.logger.warn({ eventId, error: reason }, 'a first attempt was lost');
      })
      .finally(() => {
        this.attempts.delete(attempt);
        this.note(operationId, -1);
      });
    this.attempts.add(attempt);
    this.note(operationId, 1);
  }

  private async attempt(event: StoredEvent, delivery: SealedDelivery): Promise<void> {
    const { eventId, operationId, objectId } = event;
    const input = { eventId, operationId, attempt: 1, nextPauseSeconds: DELIVERY_PAUSES_SECONDS[0] };
    await failpoint(DELIVERY_FAILPOINTS.before, objectId);
    const slow = setTimeout(() => this.sparedUntilMs.set(operationId, this.nowMs() + SPARED_MS), SLOW_MS);
    const { kind } = await this.dependencies.deliver(input, delivery).finally(() => clearTimeout(slow));
    await failpoint(DELIVERY_FAILPOINTS.after, objectId);
    if (kind === 'failed') await this.handOver(event, 1);
  }

  private handOver({ eventId, operationId }: StoredEvent, attemptsMade: 0 | 1): Promise<void> {
    return this.dependencies.startDelivery({ eventId, operationId, attemptsMade });
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
