-- Logs a requested attempt that failed. The event's schedule begins after it, unless one is under way: then that one's
-- next attempt is the event's.
WITH operation_clock AS (
  SELECT clock FROM operation WHERE id = :operationId
),
ended AS (
  DELETE FROM event_outbox WHERE event_id = :eventId AND request = :request
),
moved AS (
  INSERT INTO event_outbox (event_id, operation_id, attempts, due_at)
  SELECT :eventId, :operationId, :attempt::integer,
    CASE WHEN clock ->> 'frozenAt' IS NULL THEN attempt_left_until(coalesce(:pauseSeconds::integer, 0))
      ELSE 'infinity'::timestamptz END
  FROM operation_clock
  ON CONFLICT (event_id, request) DO NOTHING
  RETURNING due_at
),
planned AS (
  SELECT CASE WHEN clock IS NULL THEN now() ELSE operation_time(clock) END
    + make_interval(secs => coalesce(:pauseSeconds::integer, 0)) AS next_attempt_at
  FROM moved, operation_clock
  UNION ALL
  SELECT (SELECT next_attempt_at FROM webhook_delivery AS before WHERE before.event_id = event_outbox.event_id
    ORDER BY id DESC LIMIT 1)
  FROM event_outbox WHERE event_id = :eventId AND request = '' AND attempts <= :mostAttempts::integer
)
INSERT INTO webhook_delivery (operation_id, event_id, attempt, sent_at, response_status, error, duration_ms,
  next_attempt_at)
SELECT :operationId, :eventId, count(*)::integer + 1, :sentAt::timestamptz, :responseStatus::integer, :error,
  :durationMs::integer, (SELECT next_attempt_at FROM planned)
FROM webhook_delivery WHERE event_id = :eventId
RETURNING EXISTS (SELECT FROM moved) AS "isOpen", next_attempt_at AS "nextAt"
