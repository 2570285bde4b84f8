// The activities that deliver webhooks.
import type { RaisedAlert } from '../../contract/temporal/transitions.js';

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
  raiseDeliveryAlert(input: RaisedAlert): Promise<void>;
}
