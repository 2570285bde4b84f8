-- Takes the events that are due, the first first, so that nobody else does for a while. Two processes never take the
-- same one: each skips what the other has locked. A first attempt waits for those of earlier events of the same object.
WITH due AS (
  SELECT waiting.event_id, waiting.request, waiting.due_at FROM event_outbox AS waiting
  WHERE waiting.due_at <= now() AND waiting.operation_id <> ALL(:except::text[])
    AND waiting.due_at >= coalesce(now() - make_interval(secs => :lastSeconds::integer), :since::timestamptz, '-infinity')
    AND (waiting.request <> '' OR waiting.attempts > 0 OR NOT EXISTS (
      SELECT FROM event AS own
        JOIN event AS earlier ON earlier.operation_id = own.operation_id AND earlier.object_id = own.object_id
          AND earlier.sequence < own.sequence
        JOIN event_outbox AS before ON before.event_id = earlier.id
      WHERE own.id = waiting.event_id AND before.request = '' AND before.attempts = 0
    ))
  ORDER BY waiting.due_at LIMIT :limit FOR UPDATE OF waiting SKIP LOCKED
),
taken AS (
  UPDATE event_outbox SET due_at = attempt_left_until(0) FROM due
  WHERE event_outbox.event_id = due.event_id AND event_outbox.request = due.request
  RETURNING event_outbox.event_id, event_outbox.request, event_outbox.attempts, due.due_at
)
SELECT event.id AS "eventId", event.operation_id AS "operationId", event.object_id AS "objectId", taken.request,
  taken.attempts, taken.due_at AS "dueAt", event.body_sealed AS body, event.created_at AS "createdAt",
  delivery_target(event.operation_id) AS target
FROM taken JOIN event ON event.id = taken.event_id
ORDER BY taken.due_at, event.sequence
