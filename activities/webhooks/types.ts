// The activities that deliver webhooks.
import type { AwaitedAttempt, ScheduledAttempt } from '../../store/events/deliveries.js';

export type DeliveryResult =
  | { readonly kind: 'delivered'; readonly status: number }
  /** The operation has no webhook URL. */
  | { readonly kind: 'no_target' }
  /** Nothing was sent: the event was accepted meanwhile, or somebody else made this attempt. */
  | { readonly kind: 'not_due' }
  | {
      readonly kind: 'failed';
      readonly status: number | null;
      readonly reason: string;
      /** Whether the event's schedule goes on from this attempt. */
      readonly isOpen: boolean;
      /** When its next attempt is planned, RFC 3339, by the operation's clock. */
      readonly nextAt?: string | undefined;
    };

export interface WebhookActivities {
  /** When the event's attempt of this number is planned. Not retried, and alerted, if the operation has no such event. */
  awaitsAttempt(input: ScheduledAttempt): Promise<AwaitedAttempt>;
  /** Makes an attempt of an event's schedule and logs it; a 401 raises an alert. Never throws for the receiver's fault. */
  deliverEvent(input: ScheduledAttempt): Promise<DeliveryResult>;
  /** Ends a delivery whose last attempt failed: raises WEBHOOK_EXHAUSTED, if no other attempt is due. */
  endExhausted(input: { eventId: string; operationId: string; at: string }): Promise<void>;
}
