// The log of an operation's webhook deliveries, newest first.
import type { Answering, Asked } from '../../../contract/panel/routes.js';
import type { Database } from '../../../store/database.js';
import { readDeliveries } from '../../../store/events/deliveries.js';
import { operationExists } from '../../../store/operations/operations.js';
import { sees, type Viewer } from '../../viewer.js';
import { readCursor, writeCursor } from './cursor.js';

const PAGE_SIZE = 50;

/** `null` if there is no such operation, or the viewer may not see it. */
export async function readDeliveryLog(
  database: Database,
  viewer: Viewer,
  operationId: string,
  { cursor, failed }: Asked<'readDeliveries'>['query'],
): Promise<Answering<'readDeliveries'> | 'bad_cursor' | null> {
  if (!sees(viewer, operationId) || !(await operationExists(database, operationId))) return null;
  const place = cursor === undefined ? undefined : (readCursor(cursor, 1)?.[0] ?? '');
  if (place !== undefined && !/^\d{1,18}$/.test(place)) return 'bad_cursor';
  const { attempts, hasMore } = await readDeliveries(database, {
    operationId,
    eventId: undefined,
    onlyFailed: failed === 'yes',
    beforeId: place === undefined ? undefined : BigInt(place),
    limit: PAGE_SIZE,
  });
  const last = attempts.at(-1);
  return {
    items: attempts.map((attempt) => ({
      id: attempt.id.toString(),
      event_id: attempt.eventId,
      type: attempt.type,
      object_id: attempt.objectId,
      attempt: attempt.attempt,
      sent_at: attempt.sentAt,
      response_status: attempt.responseStatus,
      error: attempt.error,
      duration_ms: attempt.durationMs,
      next_attempt_at: attempt.nextAttemptAt,
    })),
    next: hasMore && last !== undefined ? writeCursor([last.id.toString()]) : null,
  };
}
