// The log of webhook deliveries, and deliveries once more: the sandbox's routes, and those of every environment.
import type { z } from 'zod';
import { invalidField } from '../../contract/http/errors.js';
import type { RouteHandler } from '../../contract/http/route.js';
import { CURSOR_FORMAT } from '../../contract/http/schemas/paging.js';
import type { listDeliveriesQuery, redeliverBody } from '../../contract/http/schemas/sandbox.js';
import { type DeliveryAttempt, readDeliveries } from '../../store/events/deliveries.js';
import { eventExists } from '../../store/events/events.js';
import { requestRedelivery } from '../../store/events/redelivery.js';
import { notFound, ok } from './answers.js';
import type { ApiDependencies } from './dependencies.js';
import { cursorBehind, decodeNumberCursor } from './number-cursor.js';

export function deliveryHandlers({ database }: ApiDependencies): {
  readonly list: RouteHandler<unknown, z.output<typeof listDeliveriesQuery>>;
  readonly redeliver: RouteHandler<z.output<typeof redeliverBody>>;
} {
  return {
    list: async ({ caller: { operation }, query: { event_id, cursor, limit } }) => {
      const beforeId = cursor === undefined ? undefined : decodeNumberCursor(cursor);
      if (beforeId === null) return invalidField('cursor', 'format', CURSOR_FORMAT);
      const { attempts, hasMore } = await readDeliveries(database, {
        operationId: operation.id,
        eventId: event_id,
        beforeId,
        limit,
      });
      return ok({ data: attempts.map(presentAttempt), next_cursor: cursorBehind(attempts, hasMore) });
    },

    redeliver: async ({ caller: { operation }, body: { event_id: eventId } }) => {
      if (!(await eventExists(database, operation.id, eventId))) return notFound();
      await requestRedelivery(database, { eventId, operationId: operation.id });
      return ok({ event_id: eventId, redelivery: 'scheduled' });
    },
  };
}

function presentAttempt(attempt: DeliveryAttempt) {
  return {
    event_id: attempt.eventId,
    type: attempt.type,
    object_id: attempt.objectId,
    attempt: attempt.attempt,
    sent_at: attempt.sentAt.toISOString(),
    response_status: attempt.responseStatus,
    error: attempt.error,
    duration_ms: attempt.durationMs,
    next_attempt_at: attempt.nextAttemptAt?.toISOString() ?? null,
  };
}
