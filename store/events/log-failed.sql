-- Logs an attempt of an event's schedule that failed, and plans the next one (`:pauseSeconds`; null after the last), by
-- the operation's clock. While that stands still nobody takes the event: who advances the clock makes it due.
WITH operation_clock AS (
  SELECT clock FROM operation WHERE id = :operationId
),
moved AS (
  UPDATE event_outbox SET attempts = :attempt::integer,
    due_at = CASE WHEN clock ->> 'frozenAt' IS NULL THEN attempt_left_until(coalesce(:pauseSeconds::integer, 0))
      ELSE 'infinity'::timestamptz END
  FROM operation_clock
  WHERE event_id = :eventId AND request = '' AND attempts = :attempt::integer - 1
  RETURNING CASE WHEN clock IS NULL THEN now() ELSE operation_time(clock) END
    + make_interval(secs => :pauseSeconds::integer) AS next_attempt_at
)
INSERT INTO webhook_delivery (operation_id, event_id, attempt, sent_at, response_status, error, duration_ms,
  next_attempt_at)
SELECT :operationId, :eventId, count(*)::integer + 1, :sentAt::timestamptz, :responseStatus::integer, :error,
  :durationMs::integer, (SELECT next_attempt_at FROM moved)
FROM webhook_delivery WHERE event_id = :eventId
RETURNING EXISTS (SELECT FROM moved) AS "isOpen", next_attempt_at AS "nextAt"
