// The first attempt to deliver an event is made by the process that stored it, if it serves the webhooks: at once and
// from its memory, so that most deliveries cost Temporal nothing. Every other event is taken out of the outbox, and so
// is one whose attempt was lost with its process (outbox.ts).
import type { SealedDelivery } from './deliveries.js';

export interface StoredEvent {
  readonly eventId: string;
  readonly operationId: string;
  readonly objectId: string;
}

export interface FirstAttempts {
  /**
   * Whether this process would make the first attempt to deliver an event of the object now: `null` if not, otherwise
   * the object's earlier events whose first attempts it has under way.
   */
  takes(object: Pick<StoredEvent, 'operationId' | 'objectId'>): readonly string[] | null;
  /** Begins the attempt, and does not wait for it. */
  begin(event: StoredEvent, delivery: SealedDelivery): void;
}
