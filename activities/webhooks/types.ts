// The activities that deliver webhooks.
import type { EventRange } from '../../contract/temporal/redelivery.js';

export type DeliveryResult =
  | { readonly kind: 'delivered'; readonly status: number }
  /** The operation has no webhook URL. */
  | { readonly kind: 'no_target' }
  | { readonly kind: 'failed'; readonly status: number | null; readonly reason: string };

export interface WebhookActivities {
  /** Makes one delivery attempt and logs it; a 401 raises an alert. Never throws for the receiver's fault. */
  deliverEvent(input: {
    eventId: string;
    operationId: string;
    attempt: number;
    nextPauseSeconds: number | null;
  }): Promise<DeliveryResult>;
  /** Raises WEBHOOK_EXHAUSTED if the event's last attempt failed and no other is due. */
  raiseDeliveryAlert(input: { eventId: string; operationId: string; at: string }): Promise<void>;
}

/** The read behind the redelivery of a range. */
export interface EventRangeActivities {
  /** The next events of a range to deliver again. `next` is where the rest begins; `null` after the last. */
  readEventRange(
    input: EventRange & { first: string; last: string; limit: number },
  ): Promise<{ readonly eventIds: readonly string[]; readonly next: string | null }>;
}
