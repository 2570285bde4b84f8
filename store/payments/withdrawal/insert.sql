-- Inserts a withdrawal in its decided state, reserves its money and stores the decision of the rules. Its locks are as
-- those of a deposit's change (store/payments/deposit/transition.sql).
WITH locked AS (
  SELECT greatest(:at::timestamptz, operation_counter.changed_at + interval '1 millisecond') AS changed_at
  FROM operation_counter WHERE operation_id = :operationId FOR UPDATE
),
funds AS (
  -- The balance of the account that pays it, if it covers the amount.
  SELECT balance_minor FROM ledger_account, locked
  WHERE operation_id = :operationId AND provider = :provider AND currency = :currency AND account = 'available'
    AND balance_minor >= :amountMinor::numeric
  FOR UPDATE OF ledger_account
),
permission AS (
  SELECT is_order_refused(:id) AS is_refused
),
player AS (
  -- The first payment fixes the player's document. No row if it, or the revision that the rules read, differs.
  INSERT INTO player (operation_id, external_ref, document_hash, document_sealed, created_at)
  SELECT :operationId, :playerRef, :documentHash::bytea, :documentSealed::bytea, :at::timestamptz
  FROM funds, permission WHERE NOT is_refused
  ON CONFLICT (operation_id, external_ref) DO UPDATE SET revision = player.revision + 1
  WHERE player.document_hash = EXCLUDED.document_hash
    AND player.revision = coalesce(:playerRevision::bigint, player.revision)
  RETURNING 1
),
used AS MATERIALIZED (
  SELECT take_automatic_use(:operationId, :currency, :amountMinor::numeric, :automaticUse::jsonb) AS may_insert
  FROM player
),
inserted AS (
  INSERT INTO withdrawal (id, operation_id, external_id, status, version, amount_minor, currency, method, player_ref,
    provider, request_sealed, destination_type, destination_hash, ip_hash, device_hash, review_requested, key_owner,
    lookup_end_to_end_id, judgement, decision_mode, decision_reasons, rule_set_version, decided_at, created_at,
    updated_at)
  SELECT :id, :operationId, :externalId, :status, 1, :amountMinor::numeric, :currency, 'pix', :playerRef,
    :provider, :requestSealed::bytea, :destinationType, :destinationHash::bytea, :ipHash::bytea, :deviceHash::bytea,
    :reviewRequested, :keyOwner, :lookupEndToEndId, :judgement, :decisionMode, :decisionReasons::text[],
    :ruleSetVersion, :decidedAt::timestamptz, :at::timestamptz, locked.changed_at
  FROM used, locked WHERE used.may_insert
  RETURNING version, updated_at
),
counter AS (
  UPDATE operation_counter SET changed_at = inserted.updated_at,
    event_sequence = operation_counter.event_sequence + (:event::jsonb IS NOT NULL)::integer
  FROM inserted WHERE operation_counter.operation_id = :operationId
  RETURNING operation_counter.event_sequence
),
followed AS MATERIALIZED (
  SELECT inserted.updated_at,
    book_movements(:operationId, :id, :provider, :currency, :at::timestamptz, :movements::jsonb),
    store_decision(:decision::jsonb),
    publish_event(:operationId, :id, inserted.version, counter.event_sequence, inserted.updated_at, :event::jsonb,
      :eventBody::bytea) AS target
  FROM inserted, counter
)
SELECT (SELECT is_refused FROM permission) AS "isRefused", (SELECT count(*) FROM funds)::integer AS funds,
  (SELECT count(*) FROM followed)::integer AS inserted, (SELECT updated_at FROM followed) AS "updatedAt",
  to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "readAt",
  (SELECT target FROM followed) AS target
