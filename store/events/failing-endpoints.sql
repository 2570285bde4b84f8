-- Operations whose webhooks fail now: the latest attempt of each event and the counts come from one pass. Planned
-- attempts have a partial index, so this reads failing deliveries only. Retries end after two days, so an older planned
-- attempt is ignored.
WITH waiting AS (
  SELECT operation_id, event_id, next_attempt_at FROM webhook_delivery AS planned
  WHERE next_attempt_at IS NOT NULL AND next_attempt_at > now() - interval '3 days'
    AND (:operationId::text IS NULL OR operation_id = :operationId::text)
    AND NOT EXISTS (
      SELECT FROM webhook_delivery AS later WHERE later.event_id = planned.event_id AND later.id > planned.id)
),
failing AS (
  SELECT operation_id, count(*)::int AS waiting_events, min(next_attempt_at) AS next_attempt_at,
    min((SELECT min(sent_at) FROM webhook_delivery AS tried WHERE tried.event_id = waiting.event_id)) AS since
  FROM waiting GROUP BY operation_id
),
given_up AS (
  SELECT operation_id, count(*)::int AS given_up_events FROM alert
  WHERE resolved_at IS NULL AND kind = 'WEBHOOK_EXHAUSTED'
    AND (:operationId::text IS NULL OR operation_id = :operationId::text)
  GROUP BY operation_id
)
SELECT operation.id AS operation_id, operation.name AS operation_name, operation.webhook_url,
  coalesce(waiting_events, 0) AS waiting_events, since, failing.next_attempt_at,
  coalesce(given_up_events, 0) AS given_up_events,
  last.sent_at AS last_attempt_at, last.response_status AS last_status, last.error AS last_error
FROM operation
  LEFT JOIN failing ON failing.operation_id = operation.id
  LEFT JOIN given_up ON given_up.operation_id = operation.id
  LEFT JOIN LATERAL (
    SELECT sent_at, response_status, error FROM webhook_delivery
    WHERE operation_id = operation.id ORDER BY id DESC LIMIT 1
  ) AS last ON TRUE
WHERE failing.operation_id IS NOT NULL OR given_up.operation_id IS NOT NULL
ORDER BY waiting_events DESC NULLS LAST, operation.id LIMIT :take
