// Events whose first attempt was lost with the process that would make it.
import { Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';
import { rowsOf } from '../statements.js';

export interface UnattemptedEvent {
  readonly id: string;
  readonly operationId: string;
  /** 1 if the first attempt failed and its repeat is overdue: no workflow has the delivery. */
  readonly attemptsMade: 0 | 1;
}

/** How late a repeat is before its delivery counts as lost. */
const OVERDUE_SECONDS = 30;

export interface CheckedSpan {
  /** RFC 3339; `null`: from the first event on. */
  readonly from: string | null;
  readonly to: string;
}

/**
 * The next events of the span after the given one, in the order of their ids. Found by their time in a block-range
 * index, and planned for its values: a span is a few minutes of all events.
 */
export function readUnattempted(
  database: Database,
  { from, to }: CheckedSpan,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<UnattemptedEvent[]> {
  return rowsOf<UnattemptedEvent>(
    database,
    Prisma.sql`
      SELECT event.id, event.operation_id AS "operationId", count(attempt.id)::int AS "attemptsMade"
      FROM event JOIN operation ON operation.id = event.operation_id
        LEFT JOIN webhook_delivery AS attempt ON attempt.event_id = event.id
      WHERE event.created_at >= coalesce(${from}::timestamptz, '-infinity') AND event.created_at < ${to}::timestamptz
        AND event.id > ${after} AND operation.webhook_url IS NOT NULL
        AND NOT EXISTS (SELECT FROM event_outbox WHERE event_outbox.event_id = event.id)
      GROUP BY event.id
      HAVING count(attempt.id) = 0
        OR count(attempt.id) = 1 AND max(attempt.next_attempt_at) < now() - make_interval(secs => ${OVERDUE_SECONDS})
      ORDER BY event.id LIMIT ${limit}`,
    'for_its_values',
  );
}
