// The attempts to deliver events that a process makes from memory, beside its steps: of events that it has just stored,
// and of those that it took out of the outbox. A step does not wait for an operator, and an accepted event costs
// Temporal nothing. After a failed attempt the event's delivery workflow makes the repeats. What is lost here stays in
// the outbox, and is taken again.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { DELIVERY_PAUSES_SECONDS, type WebhookDeliveryInput } from '../../contract/temporal/webhook-delivery.js';
import { count } from '../../platform/telemetry/instruments.js';
import type { SealedDelivery } from '../../store/events/deliveries.js';
import type { FirstAttempts, StoredEvent } from '../../store/events/first-attempts.js';
import type { TakenEvent } from '../../store/events/outbox.js';
import type { DeliveryAttemptInput, DeliveryResult } from './deliver.js';

/** The answer to the caller who created the payment leaves first. */
const AFTER_MS = 50;
/** Attempts under way at once. Beyond it events stay in the outbox. */
const MOST_UNDER_WAY = 1_000;
const MOST_UNDER_WAY_OF_OPERATION = 200;
/** An operation is slow for a while after an attempt took longer. */
const SLOW_MS = 1_000;
const SLOW_FOR_MS = 600_000;
/** Of all slow operations together, so that they do not use this process up. */
const MOST_UNDER_WAY_OF_SLOW = 800;
/** A first attempt that waited longer for an earlier one of its object is left to whoever takes it. */
const WAITS_AT_MOST_MS = 10_000;
/** An event that is taken this long after it was stored was lost, or is late. */
const LATE_MS = 20_000;

/** Starts the delivery workflow of an event, unless a run has its id. */
export type StartDelivery = (delivery: WebhookDeliveryInput) => Promise<void>;

export interface MemoryAttemptDependencies {
  readonly deliver: (input: DeliveryAttemptInput, delivery: SealedDelivery) => Promise<DeliveryResult>;
  /** Ends a delivery whose last attempt failed, with an alert. */
  readonly endExhausted: (event: { readonly eventId: string; readonly operationId: string }) => Promise<void>;
  readonly startDelivery: StartDelivery;
  readonly logger: Logger;
  readonly afterMs?: number;
  readonly mostOfOperation?: number;
  readonly nowMs?: () => number;
}

type FirstAttempt = Omit<TakenEvent, 'dueAt' | 'delivery'>;

export class MemoryAttempts implements FirstAttempts {
  private readonly underWay = new Map<string, number>();
  private readonly attempts = new Set<Promise<void>>();
  private readonly slowUntilMs = new Map<string, number>();
  /** The first attempts under way, by object and event. */
  private readonly firstOf = new Map<string, Map<string, Promise<void>>>();
  private isClosing = false;

  constructor(private readonly dependencies: MemoryAttemptDependencies) {}

  /** How many more attempts may begin now. */
  get free(): number {
    return this.isClosing ? 0 : Math.max(0, MOST_UNDER_WAY - this.attempts.size);
  }

  /** Operations with as many attempts under way as they may have. */
  get fullOperations(): readonly string[] {
    const { mostOfOperation = MOST_UNDER_WAY_OF_OPERATION } = this.dependencies;
    const now = this.nowMs();
    for (const [operationId, untilMs] of this.slowUntilMs) if (now >= untilMs) this.slowUntilMs.delete(operationId);
    const slow = [...this.slowUntilMs.keys()];
    const ofSlow = slow.reduce((sum, operationId) => sum + (this.underWay.get(operationId) ?? 0), 0);
    const full = [...this.underWay].filter(([, attempts]) => attempts >= mostOfOperation);
    const ids = full.map(([operationId]) => operationId);
    return ofSlow < MOST_UNDER_WAY_OF_SLOW ? ids : [...new Set([...ids, ...slow])];
  }

  takes({ operationId, objectId }: Pick<StoredEvent, 'operationId' | 'objectId'>): readonly string[] | null {
    if (this.free === 0 || this.fullOperations.includes(operationId)) return null;
    return [...(this.firstOf.get(objectId)?.keys() ?? [])];
  }

  begin(event: StoredEvent, delivery: SealedDelivery): void {
    const { afterMs = AFTER_MS } = this.dependencies;
    this.keep({ ...event, request: '', attempts: 0 }, async (attempted) => {
      await sleep(afterMs);
      await this.attempt(attempted, delivery);
    });
  }

  /** Attempts an event that was taken out of the outbox. */
  deliver({ delivery, dueAt, ...event }: TakenEvent): void {
    const isLate = event.attempts > 0 || Date.parse(dueAt) - Date.parse(delivery.createdAt) > LATE_MS;
    if (event.request === '' && isLate) count('gateway_webhook_deliveries_resumed_total', {});
    this.keep(event, (attempted) => this.attempt(attempted, delivery));
  }

  /** Takes no more, and waits for the attempts under way. */
  async close(): Promise<void> {
    this.isClosing = true;
    await Promise.all(this.attempts);
  }

  /** Never throws: what is lost here is taken again. */
  private keep(event: FirstAttempt, work: (event: FirstAttempt) => Promise<void>): void {
    const { eventId, operationId } = event;
    const attempt = this.inOrder(event, work)
      .catch((error: unknown) => {
        count('gateway_webhook_attempts_lost_total', {});
        const reason = error instanceof Error ? error.name : 'unknown';
        this.dependencies.logger.warn({ eventId, error: reason }, 'an attempt to deliver was lost');
      })
      .finally(() => {
        this.attempts.delete(attempt);
        this.note(operationId, -1);
      });
    this.attempts.add(attempt);
    this.note(operationId, 1);
  }

  /** A first attempt follows those of earlier events of the same object. */
  private inOrder(event: FirstAttempt, work: (event: FirstAttempt) => Promise<void>): Promise<void> {
    const { eventId, objectId, request, attempts } = event;
    if (request !== '' || attempts > 0) return work(event);
    const firsts = this.firstOf.get(objectId) ?? new Map<string, Promise<void>>();
    const earlier = [...firsts.values()];
    const beganMs = this.nowMs();
    const first = Promise.allSettled(earlier)
      .then(() => (this.nowMs() - beganMs > WAITS_AT_MOST_MS ? undefined : work(event)))
      .finally(() => {
        firsts.delete(eventId);
        if (firsts.size === 0) this.firstOf.delete(objectId);
      });
    this.firstOf.set(objectId, firsts.set(eventId, first));
    return first;
  }

  private async attempt(event: FirstAttempt, delivery: SealedDelivery): Promise<void> {
    const { eventId, operationId, request, attempts } = event;
    // The alert after the last attempt was lost.
    if (attempts > DELIVERY_PAUSES_SECONDS.length) return this.dependencies.endExhausted({ eventId, operationId });
    const attempt = attempts + 1;
    const slow = setTimeout(() => this.slowUntilMs.set(operationId, this.nowMs() + SLOW_FOR_MS), SLOW_MS);
    const input = { eventId, operationId, request, attempt };
    const result = await this.dependencies.deliver(input, delivery).finally(() => clearTimeout(slow));
    if (result.kind !== 'failed' || !result.isOpen) return;
    if (attempt > DELIVERY_PAUSES_SECONDS.length) await this.dependencies.endExhausted({ eventId, operationId });
    else await this.dependencies.startDelivery({ eventId, operationId, attemptsMade: attempt });
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
