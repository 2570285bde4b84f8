-- The facts of a dispatch, all of one moment: lists, operation and cash box as they are now.
WITH rule_set AS (
  -- A person's stop of automatic withdrawals overrides the engine's thresholds.
  SELECT version, rules,
    CASE WHEN operation.automatic_stopped_at IS NULL THEN engine
      ELSE coalesce(engine, '{}') || '{"auto_suspended": true}' END AS engine
  FROM rule_set_version JOIN operation ON operation.id = operation_id
  WHERE operation_id = :operationId
  ORDER BY version DESC LIMIT 1
)
SELECT rule_set.version, rule_set.rules, rule_set.engine,
  withdrawal.currency, operation.status AS operation_status,
  withdrawal.decision_mode = 'automatic' AND operation.automatic_stopped_at IS NOT NULL AS automatic_stopped,
  is_paused(withdrawal.provider) AS provider_paused,
  is_blocked(withdrawal.operation_id, 'player',
    sha256(convert_to('player' || chr(10) || withdrawal.player_ref, 'UTF8'))) AS player_blocked,
  is_blocked(withdrawal.operation_id, 'document', player.document_hash) AS document_blocked,
  is_blocked(withdrawal.operation_id, 'pix_key', withdrawal.destination_hash) AS destination_blocked,
  coalesce(ledger_account.balance_minor, 0) AS available_minor
FROM withdrawal
JOIN operation ON operation.id = withdrawal.operation_id
LEFT JOIN player ON player.operation_id = withdrawal.operation_id AND player.external_ref = withdrawal.player_ref
LEFT JOIN ledger_account
  ON ledger_account.operation_id = withdrawal.operation_id AND ledger_account.provider = withdrawal.provider
  AND ledger_account.currency = withdrawal.currency AND account = 'available'
LEFT JOIN rule_set ON TRUE
WHERE withdrawal.id = :id AND withdrawal.operation_id = :operationId
