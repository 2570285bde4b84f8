// Delivering an event to its operator again. The operator recognises the repetition by the event’s id.
import type { Client } from '@temporalio/client';
import {
  redeliveryOptions,
  WEBHOOK_DELIVERY_WORKFLOW,
  type WebhookDeliveryInput,
} from '../../contract/temporal/webhook-delivery.js';
import { appendAudit } from '../../store/audit/audit.js';
import { eventById } from '../../store/events/event-delivery.js';
import type { Actor } from '../../store/staff/acts.js';
import { isPermitted } from '../../store/staff/people.js';
import type { ActServices } from './workflow-updates.js';

export type Redelivered =
  | { readonly kind: 'scheduled'; readonly operationId: string; readonly type: string }
  | { readonly kind: 'unknown_event' | 'not_permitted' };

/** Recorded once Temporal has taken it: what it refused did not happen. */
export async function redeliver(
  { database, withTemporal }: Pick<ActServices, 'database' | 'withTemporal'>,
  { handle: person }: Actor,
  eventId: string,
): Promise<Redelivered> {
  const event = await eventById(database, eventId);
  if (event === null) return { kind: 'unknown_event' };
  const { operationId, type } = event;
  if (!(await isPermitted(database, person, 'event.redeliver', operationId))) return { kind: 'not_permitted' };
  await withTemporal((client: Client) =>
    client.workflow.signalWithStart<(input: WebhookDeliveryInput) => Promise<unknown>, []>(
      WEBHOOK_DELIVERY_WORKFLOW,
      redeliveryOptions(eventId, operationId),
    ),
  );
  await appendAudit(database, { person, action: 'event.redeliver', operationId, subject: eventId, detail: { type } });
  return { kind: 'scheduled', operationId, type };
}
