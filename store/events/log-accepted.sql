-- Logs an attempt that the operator accepted: the event's own delivery is over, and the one that was requested. The
-- logged number counts all of the event's attempts.
WITH ended AS (
  DELETE FROM event_outbox WHERE event_id = :eventId AND request IN ('', :request)
)
INSERT INTO webhook_delivery (operation_id, event_id, attempt, sent_at, response_status, error, duration_ms)
SELECT :operationId, :eventId, count(*)::integer + 1, :sentAt::timestamptz, :responseStatus::integer, :error,
  :durationMs::integer
FROM webhook_delivery WHERE event_id = :eventId
RETURNING FALSE AS "isOpen", next_attempt_at AS "nextAt"
