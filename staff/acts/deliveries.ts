// Delivering events to their operator again: one, or those of a span of time. The operator recognises a repetition by
// the event’s id. What is requested is a row of the outbox, stored with the entry in the audit trail.
import type { EventRange } from '../../domain/event-range.js';
import { appendAudit } from '../../store/audit/audit.js';
import type { Database } from '../../store/database.js';
import { eventById } from '../../store/events/event-delivery.js';
import { countRange, requestRange, requestRedelivery } from '../../store/events/redelivery.js';
import { operationExists } from '../../store/operations/operations.js';
import type { Actor } from '../../store/staff/acts.js';
import { mayNow } from '../../store/staff/people.js';
import { inTransaction } from '../../store/transactions.js';

export type RedeliveryResult =
  | { readonly kind: 'scheduled'; readonly operationId: string; readonly type: string }
  | { readonly kind: 'unknown_event' | 'not_permitted' };

/** Delivers an event once more. */
export async function redeliver(database: Database, actor: Actor, eventId: string): Promise<RedeliveryResult> {
  const event = await eventById(database, eventId);
  if (event === null) return { kind: 'unknown_event' };
  const { operationId, type } = event;
  if (!(await mayNow(database, actor, 'event.redeliver', operationId))) return { kind: 'not_permitted' };
  await inTransaction(database, async (transaction) => {
    await requestRedelivery(transaction, { eventId, operationId });
    const act = { person: actor, action: 'event.redeliver', operationId, subject: eventId, detail: { type } } as const;
    await appendAudit(transaction, act);
  });
  return { kind: 'scheduled', operationId, type };
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
export async function redeliverRange(database: Database, actor: Actor, range: EventRange): Promise<RangeRedelivered> {
  const { operationId, from, to, selection } = range;
  if (!(await operationExists(database, operationId))) return { kind: 'unknown_operation' };
  if (!(await mayNow(database, actor, 'event.redeliver', operationId))) return { kind: 'not_permitted' };
  const found = await countRange(database, range, MOST_REDELIVERED_EVENTS + 1);
  if (found === 0) return { kind: 'nothing' };
  if (found > MOST_REDELIVERED_EVENTS) return { kind: 'too_many' };
  return inTransaction(database, async (transaction) => {
    const events = await requestRange(transaction, range);
    if (events === 0) return { kind: 'under_way' };
    const detail = { from, to, selection, events };
    const act = { person: actor, action: 'event.redeliver_range', operationId, subject: operationId, detail } as const;
    await appendAudit(transaction, act);
    return { kind: 'scheduled', events };
  });
}
