// Delivering events to their operator again: one, or those of a span of time. The operator recognises a repetition by
// the event’s id.
import { type Client, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import {
  type EventRange,
  rangeRedeliveryOptions,
  REDELIVERY_PAUSE_SECONDS,
  REDELIVERY_WORKFLOW,
  type RedeliveryInput,
} from '../../contract/temporal/redelivery.js';
import {
  redeliveryOptions,
  WEBHOOK_DELIVERY_WORKFLOW,
  type WebhookDeliveryInput,
} from '../../contract/temporal/webhook-delivery.js';
import { eventById } from '../../store/events/event-delivery.js';
import { findRange } from '../../store/events/range.js';
import { operationExists } from '../../store/operations/operations.js';
import type { Actor } from '../../store/staff/acts.js';
import { mayNow } from '../../store/staff/people.js';
import { auditedFirst } from './audited-first.js';
import type { ActServices } from './workflow-updates.js';

export type Redelivered =
  | { readonly kind: 'scheduled'; readonly operationId: string; readonly type: string }
  | { readonly kind: 'unknown_event' | 'not_permitted' };

export async function redeliver(
  { database, withTemporal }: Pick<ActServices, 'database' | 'withTemporal'>,
  actor: Actor,
  eventId: string,
): Promise<Redelivered> {
  const event = await eventById(database, eventId);
  if (event === null) return { kind: 'unknown_event' };
  const { operationId, type } = event;
  if (!(await mayNow(database, actor, 'event.redeliver', operationId))) return { kind: 'not_permitted' };
  const act = { person: actor, action: 'event.redeliver', operationId, subject: eventId, detail: { type } };
  return auditedFirst(database, act, [], async () => {
    await withTemporal((client: Client) =>
      client.workflow.signalWithStart<(input: WebhookDeliveryInput) => Promise<unknown>, []>(
        WEBHOOK_DELIVERY_WORKFLOW,
        redeliveryOptions(eventId, operationId),
      ),
    );
    return { kind: 'scheduled', operationId, type };
  });
}

/** Enough for a day of most operations; longer ranges are requested in parts. */
export const MOST_REDELIVERED_EVENTS = 10_000;

export type RangeRedelivered =
  | { readonly kind: 'scheduled'; readonly events: number }
  | {
      readonly kind:
        | 'unknown_operation'
        | 'not_permitted'
        /** There is no such event in the span. */
        | 'nothing'
        | 'too_many'
        /** An earlier one of this operation is under way. */
        | 'under_way';
    };

/** Delivers the events of a span again, oldest first. */
export async function redeliverRange(
  { database, withTemporal }: Pick<ActServices, 'database' | 'withTemporal'>,
  actor: Actor,
  range: EventRange,
): Promise<RangeRedelivered> {
  const { operationId, from, to, selection } = range;
  if (!(await operationExists(database, operationId))) return { kind: 'unknown_operation' };
  if (!(await mayNow(database, actor, 'event.redeliver', operationId))) return { kind: 'not_permitted' };
  const found = await findRange(database, range, MOST_REDELIVERED_EVENTS + 1);
  if (found === null) return { kind: 'nothing' };
  const { events, first, last } = found;
  if (events > MOST_REDELIVERED_EVENTS) return { kind: 'too_many' };
  const detail = { from, to, selection, events };
  const act = { person: actor, action: 'event.redeliver_range', operationId, subject: operationId, detail };
  return auditedFirst<RangeRedelivered>(database, act, ['under_way'], async () => {
    const input = { ...range, first, last, pauseSeconds: REDELIVERY_PAUSE_SECONDS, done: 0 };
    return (await isStarted(withTemporal, input)) ? { kind: 'scheduled', events } : { kind: 'under_way' };
  });
}

async function isStarted(withTemporal: ActServices['withTemporal'], input: RedeliveryInput): Promise<boolean> {
  try {
    await withTemporal((client) =>
      client.workflow.start<(given: RedeliveryInput) => Promise<unknown>>(
        REDELIVERY_WORKFLOW,
        rangeRedeliveryOptions(input),
      ),
    );
    return true;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
    throw error;
  }
}
