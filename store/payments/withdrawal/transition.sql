-- Changes a withdrawal, if it is as it was read, with everything that follows: all of it, or nothing. Its locks are as
-- those of a deposit (store/payments/deposit/transition.sql).
WITH locked AS (
  SELECT greatest(:at::timestamptz, operation_counter.changed_at + interval '1 millisecond') AS changed_at
  FROM operation_counter WHERE operation_id = :operationId FOR UPDATE
),
held AS (
  SELECT id FROM withdrawal, locked
  WHERE id = :id AND operation_id = :operationId AND revision = :revisionBefore
  FOR UPDATE OF withdrawal
),
used AS MATERIALIZED (
  SELECT use_act(:act::jsonb, :operationId, :id, :versionBefore)
    AND take_automatic_use(:operationId, :currency, :amountMinor::numeric, :automaticUse::jsonb) AS may_change
  FROM held
),
changed AS (
  UPDATE withdrawal SET
    status = :status,
    version = :version,
    revision = :revision,
    fee_minor = :feeMinor::numeric,
    key_owner = :keyOwner,
    lookup_end_to_end_id = :lookupEndToEndId,
    judgement = :judgement,
    decision_mode = :decisionMode,
    decision_reasons = :decisionReasons::text[],
    rule_set_version = :ruleSetVersion,
    decided_by = :decidedBy::jsonb,
    decided_at = :decidedAt::timestamptz,
    psp_reference = :pspReference,
    contract = coalesce(:contract, contract),
    failure_code = :failureCode,
    updated_at = locked.changed_at,
    paid_at = :paidAt::timestamptz,
    returned_parts = :returnedParts::jsonb,
    returned_minor = :returnedMinor::numeric,
    write_offs = :writeOffs::jsonb
  FROM locked, held, used
  WHERE withdrawal.id = held.id AND used.may_change
  RETURNING withdrawal.version, withdrawal.updated_at
),
counter AS (
  UPDATE operation_counter SET changed_at = changed.updated_at,
    event_sequence = operation_counter.event_sequence + (:event::jsonb IS NOT NULL)::integer
  FROM changed WHERE operation_counter.operation_id = :operationId
  RETURNING operation_counter.event_sequence
),
resolved AS (
  UPDATE alert SET resolved_at = :at::timestamptz FROM changed
  WHERE alert.object_id = :id AND alert.resolved_at IS NULL AND alert.kind = ANY(:resolves::text[])
),
sent AS (
  UPDATE payout_send SET state = 'known', traceless_look_ups = 0, traceless_since = NULL, traceless_last_at = NULL
  FROM changed WHERE withdrawal_id = :id AND :isSendKnown
),
followed AS MATERIALIZED (
  SELECT
    book_movements(:operationId, :id, :provider, :currency, :at::timestamptz, :movements::jsonb),
    store_decision(:decision::jsonb),
    publish_event(:operationId, :id, changed.version, counter.event_sequence, changed.updated_at, :event::jsonb,
      :eventBody::bytea) AS target,
    audit_act(:audit::jsonb)
  FROM changed, counter
)
SELECT count(*)::integer AS changed, max(updated_at) AS "updatedAt", (SELECT target FROM followed) AS target
FROM changed
