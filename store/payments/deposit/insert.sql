-- Inserts a deposit with its player and the decision to accept it. The row permits its first charge: it is there only
-- if the provider may be asked. The counter is locked before the player, as by every other statement.
WITH permission AS (
  SELECT CASE
    WHEN is_order_refused(:id) THEN 'order_refused'
    WHEN operation.environment <> :environment THEN 'other_environment'
    WHEN is_paused(:provider) THEN 'provider_paused'
  END AS refusal
  FROM operation WHERE operation.id = :operationId
),
locked AS (
  UPDATE operation_counter
  SET changed_at = greatest(:at::timestamptz, operation_counter.changed_at + interval '1 millisecond')
  FROM permission
  WHERE operation_id = :operationId AND refusal IS NULL
  RETURNING changed_at
),
player AS (
  -- The first payment fixes the player's document. No row if it, or the revision that the rules read, differs.
  INSERT INTO player (operation_id, external_ref, document_hash, document_sealed, created_at)
  SELECT :operationId, :playerRef, :documentHash::bytea, :documentSealed::bytea, :at::timestamptz
  FROM locked
  ON CONFLICT (operation_id, external_ref) DO UPDATE SET revision = player.revision + 1
  WHERE player.document_hash = EXCLUDED.document_hash
    AND player.revision = coalesce(:playerRevision::bigint, player.revision)
  RETURNING 1
),
inserted AS (
  INSERT INTO deposit (id, operation_id, external_id, status, version, amount_minor, currency, method, player_ref,
    provider, request_sealed, review_reasons, created_at, updated_at, expires_at)
  SELECT :id, :operationId, :externalId, :status, 1, :amountMinor::numeric, :currency, 'pix', :playerRef,
    :provider, :requestSealed::bytea, '{}', :at::timestamptz, locked.changed_at, :expiresAt::timestamptz
  FROM player, locked
  RETURNING updated_at
),
followed AS MATERIALIZED (
  SELECT updated_at, store_decision(:decision::jsonb) FROM inserted
)
SELECT (SELECT updated_at FROM followed) AS "updatedAt", (SELECT refusal FROM permission) AS refusal
