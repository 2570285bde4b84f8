-- The facts of a deposit's payment, all of one moment.
WITH rule_set AS (
  -- A person's stop of automatic withdrawals overrides the engine's thresholds.
  SELECT version, rules,
    CASE WHEN operation.automatic_stopped_at IS NULL THEN engine
      ELSE coalesce(engine, '{}') || '{"auto_suspended": true}' END AS engine
  FROM rule_set_version JOIN operation ON operation.id = operation_id
  WHERE operation_id = :operationId
  ORDER BY version DESC LIMIT 1
),
blocked AS (
  SELECT kind, value_hash FROM list_entry WHERE operation_id = :operationId AND list = 'block'
    AND coalesce(expires_at > now(), TRUE)
),
fixed AS (
  SELECT document_hash FROM player WHERE operation_id = :operationId AND external_ref = :playerRef
)
SELECT rule_set.version, rule_set.rules, rule_set.engine,
  (SELECT currency FROM deposit WHERE id = :id AND operation_id = :operationId) AS currency,
  EXISTS (SELECT FROM blocked WHERE kind = 'document' AND value_hash = :payer::bytea) AS payer_blocked,
  EXISTS (SELECT FROM blocked WHERE kind = 'player' AND value_hash = :player::bytea)
    OR EXISTS (SELECT FROM blocked JOIN fixed ON document_hash = value_hash WHERE kind = 'document') AS player_blocked
FROM (VALUES (1)) AS one LEFT JOIN rule_set ON TRUE
