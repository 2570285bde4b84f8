// The first attempt to deliver an event is made by the process that stored it, if it serves the webhooks: at once and
// from its memory, so that most deliveries cost Temporal nothing. Every other event goes into the outbox (outbox.ts).
// An attempt that is lost with its process is found by the check of deliveries (unattempted.ts).
import type { SealedDelivery } from './deliveries.js';

export interface StoredEvent {
  readonly eventId: string;
  readonly operationId: string;
  readonly objectId: string;
}

export interface FirstAttempts {
  /** Whether this process would make the first attempt to deliver an event of the operation now. */
  takes(operationId: string): boolean;
  /** Begins the attempt, and does not wait for it. */
  begin(event: StoredEvent, delivery: SealedDelivery): void;
}
