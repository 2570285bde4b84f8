// What stores an event hands it to: the process that stored it makes the first attempt to deliver it, at once and from
// its memory, so that most deliveries cost Temporal nothing. An attempt that is lost with its process is found by the
// check of deliveries (unattempted.ts).
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
