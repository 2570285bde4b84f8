// The sandbox's controls: simulated outage, delivery log and redelivery.
import { invalidField } from '../../contract/http/errors.js';
import type { RouteHandlers } from '../../contract/http/routes.js';
import { CURSOR_FORMAT } from '../../contract/http/schemas/paging.js';
import { type DeliveryAttempt, readDeliveries } from '../../store/events/deliveries.js';
import { eventExists } from '../../store/events/events.js';
import { requestRedelivery } from '../../store/events/redelivery.js';
import { setOutage } from '../../store/operations/operations.js';
import { notFound, ok } from './answers.js';
import type { ApiDependencies } from './dependencies.js';

type SandboxControlRoutes = 'sandboxSetOutage' | 'sandboxListWebhooks' | 'sandboxRedeliverWebhook';

export function sandboxControlHandlers({ database }: ApiDependencies): Pick<RouteHandlers, SandboxControlRoutes> {
  return {
    sandboxSetOutage: async ({ caller: { operation }, body: { down } }) => {
      await setOutage(database, operation.id, down);
      return ok({ down });
    },

    sandboxListWebhooks: async ({ caller: { operation }, query: { event_id, cursor, limit } }) => {
      const beforeId = cursor === undefined ? undefined : decodeCursor(cursor);
      if (beforeId === null) return invalidField('cursor', 'format', CURSOR_FORMAT);
      const { attempts, hasMore } = await readDeliveries(database, {
        operationId: operation.id,
        eventId: event_id,
        beforeId,
        limit,
      });
      const last = attempts.at(-1);
      return ok({
        data: attempts.map(presentAttempt),
        next_cursor: hasMore && last !== undefined ? encodeCursor(last.id) : null,
      });
    },

    sandboxRedeliverWebhook: async ({ caller: { operation }, body: { event_id: eventId } }) => {
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

/** base64url of the attempt's number. */
function encodeCursor(id: bigint): string {
  return Buffer.from(id.toString(), 'utf8').toString('base64url');
}

/** `null` for any text that `encodeCursor` does not make. */
function decodeCursor(cursor: string): bigint | null {
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  return /^[1-9][0-9]{0,17}$/.test(text) && encodeCursor(BigInt(text)) === cursor ? BigInt(text) : null;
}
