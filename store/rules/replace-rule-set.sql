-- Puts the next version of a rule set in force, if the one that it is based on still is. With a request behind it
-- (`:requestId`), the request must be as it was read, and the act of its last approval is used up. Nothing is stored
-- otherwise. The counter is locked, so events commit in the order of their numbers.
WITH known AS (
  -- An operation without a rule set has the defaults, which are served as version 1.
  SELECT coalesce(max(version), 1) AS current FROM rule_set_version WHERE operation_id = :operationId
),
request AS (
  SELECT id FROM rule_change_request
  WHERE id = :requestId AND operation_id = :operationId AND status = 'pending_approval'
    AND jsonb_array_length(decisions) = :decisionsBefore AND proof_digest IS NOT DISTINCT FROM :digestBefore::text
  FOR UPDATE
),
used AS MATERIALIZED (
  SELECT use_act(:act::jsonb, :operationId, request.id, :baseVersion) AS may_change
  FROM request, known WHERE known.current = :baseVersion
),
counter AS (
  UPDATE operation_counter SET event_sequence = operation_counter.event_sequence + 1
  FROM known
  WHERE operation_counter.operation_id = :operationId AND known.current = :baseVersion
    AND (:requestId::text IS NULL OR (SELECT may_change FROM used))
  RETURNING operation_counter.event_sequence
),
stored AS (
  INSERT INTO rule_set_version (operation_id, version, rules, engine, created_at, created_by)
  SELECT :operationId, :version, :rules::jsonb, :engine::jsonb, :at::timestamptz, :createdBy
  FROM counter
  RETURNING version
),
closed AS (
  UPDATE rule_change_request SET status = 'approved', applied_version = :version, decided_at = :at::timestamptz,
    decisions = :decisions::jsonb, decided_by = :decidedBy::text[]
  FROM counter WHERE rule_change_request.id = :requestId
),
followed AS MATERIALIZED (
  SELECT stored.version,
    publish_event(:operationId, :operationId, stored.version, counter.event_sequence, :at::timestamptz, :event::jsonb,
      :eventBody::bytea),
    audit_act(:audit::jsonb)
  FROM stored, counter
)
SELECT (SELECT current FROM known) AS current, (SELECT version FROM followed) AS stored
